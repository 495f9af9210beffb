# One split of rpart, and the share of class b for rows that are asked: Rscript gaps.R FOLDER; called by gaps.py.
library(rpart)
read <- function(name) read.csv(file.path(commandArgs(trailingOnly = TRUE)[1], name), na.strings = "",
                                stringsAsFactors = TRUE)
train <- read("train.csv")
asked <- read("asked.csv")
if (is.factor(train$x)) asked$x <- factor(asked$x) else asked$x <- as.numeric(asked$x)
train$y <- factor(train$y, c("a", "b"))
fit <- rpart(y ~ x + z, train, control = rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxdepth = 1, xval = 0))
cat(predict(fit, asked)[, "b"])
