# Into which two groups rpart divides the categories of tables drawn at random: it tries all groups where there
# are more than two classes. Rscript tests/oracles/rpart_two_groups.R writes rpart_two_groups.json beside it
# (rpart 4.1.19).

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart.R"))

drawn <- function(p, K, more) {
  category <- c(letters[1:p], sample(letters[1:p], more, replace = TRUE))
  label <- sample(letters[1:K], length(category), replace = TRUE)
  data.frame(x = factor(category), y = factor(label))
}

first_split <- function(rows, split) {
  fit <- rpart(y ~ x, rows, parms = list(split = split),
               control = rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxdepth = 1, xval = 0))
  list(split = split, categories = paste(rows$x, collapse = ""), classes = paste(rows$y, collapse = ""),
       improve = unname(fit$splits[1, "improve"]),
       group = paste(levels(rows$x)[fit$csplit[1, ] == 1], collapse = ""))
}

main_two_groups <- function() {
  set.seed(1)
  runs <- list()
  for (split in c("gini", "information")) for (p in 11:14) for (K in c(3, 4, 6)) {
    for (more in c(0, sample(4 * p, 1))) runs[[length(runs) + 1]] <- first_split(drawn(p, K, more), split)
  }
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string, runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), file.path(here, "rpart_two_groups.json"))
}

if (sys.nframe() == 0) main_two_groups()
