"""Small faults, planted one by one to see which test catches each: ``make faults``."""
