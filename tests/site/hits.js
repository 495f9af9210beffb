() => [...document.querySelectorAll(".search-results a[href]")].map((link) => link.href)
