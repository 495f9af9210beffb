"""What a tree tells of itself: why each question was asked, its outline, growth and rules in words."""
