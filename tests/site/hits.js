() => [...document.querySelectorAll(".search-results section a[href]")].map((link) => link.href)
