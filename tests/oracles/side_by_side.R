# Called by side_by_side.py: for each column of folds and each fold, the leaves of the tree that the other
# rows grow with rpart's own options, and what it says of the fold.

library(rpart)
files <- commandArgs(trailingOnly = TRUE)
rows <- read.csv(files[1], na.strings = "?", stringsAsFactors = TRUE, check.names = FALSE)
folds <- read.csv(files[2])
class <- rows[["class"]]
features <- rows[setdiff(names(rows), "class")]
names(features) <- paste0("x", seq_along(features))
for (column in names(folds)) for (out in 0:max(folds[[column]])) {
  grown <- folds[[column]] != out
  data <- cbind(class = class, features)[grown, ]
  # With weights, a row of which nothing is known is kept.
  fit <- rpart(class ~ ., data, weights = rep(1, nrow(data)), control = rpart.control(xval = 0))
  said <- as.integer(predict(fit, features[!grown, ], type = "class")) - 1
  cat(sum(fit$frame$var == "<leaf>"), said, "\n")
}
