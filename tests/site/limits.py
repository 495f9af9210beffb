"""What a page of the website may cost, and where it is looked at: one place for all limits."""

WIDTHS = (320, 390, 768, 1280, 1920)  # px: the narrowest of WCAG, a phone, a tablet, a laptop, a desktop
HEIGHT = 900
READ_AT = (("light", 1280), ("dark", 390))  # a theme, and the width where axe looks

FIRST_VISIT_KB = 400  # compressed, everything a page loads with an empty cache
FIRST_PAGE_KB = 220  # the same for intro.html
FIRST_VISIT_REQUESTS = 15

# Queries whose first hit is no matter of taste: the page must be among so many first ones.
QUERIES = {
    "gain ratio": "chapters/05",
    "information gain": "chapters/03",
    "entropy": "chapters/02",
    "gini": "chapters/07",
    "missing values": "chapters/10",
    "random forest": "chapters/16",
}
