"""The built website in a browser: `make site-test`."""
