() => [...(document.querySelector("#search-results") || document).querySelectorAll(
    "#search-results a[href], .search-results a[href], [role=listbox] a[href]")].map((link) => link.href)
