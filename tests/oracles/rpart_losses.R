# What held-out rows cost by a loss, recorded: Rscript tests/oracles/rpart_losses.R writes rpart_losses.json.gz
# beside it (rpart 4.1.19). rpart's own `xerror` reads the loss the wrong way round; here xpred.rpart says what
# rpart predicts for each row held out, and R adds up what that costs.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart_cp.R"))

record_losses <- function(name, data, rows, formula, loss, weights = NULL, ...) {
  run <- record_table(name, data, rows, formula, weights, list(loss = loss), ...)
  columns <- run$features
  rows <- rows[!is.na(rows[[run$target]]), ]
  if (is.null(weights)) rows <- rows[rowSums(!is.na(rows[columns])) > 0, ]
  w <- if (is.null(weights)) rep(1, nrow(rows)) else rep_len(weights, nrow(rows))
  groups <- rep_len(1:10, nrow(rows))
  fit <- do.call(rpart, c(
    list(formula = reformulate(sprintf("`%s`", columns), run$target), data = rows, parms = list(loss = loss),
         control = rpart.control(xval = groups, ...)),
    if (!is.null(weights)) list(weights = w)
  ))
  cp <- fit$cptable[, "CP"]
  said <- xpred.rpart(fit, groups, c(1e6, sqrt(cp[-1] * cp[-length(cp)])))
  truth <- as.integer(rows[[run$target]])
  cost <- apply(said, 2, function(k) loss[cbind(truth, k)])
  mean_cost <- colSums(w * cost) / sum(w)
  spread <- sapply(seq_len(ncol(cost)), function(i) sum(w * (cost[, i] - mean_cost[i])^2) / sum(w))
  run$pruned <- NULL
  run$printed <- NULL
  run$mean_cost <- I(unname(mean_cost))
  run$standard_error <- I(sqrt(spread / sum(w)))
  run
}

main_losses <- function() {
  runs <- list()
  add <- function(name, data, formula, ...) {
    rows <- read_rows(file.path(here, "data", paste0(data, ".csv")))
    runs[[length(runs) + 1]] <<- record_losses(name, data, rows, formula, ...)
  }
  two <- function(a, b) matrix(c(0, a, b, 0), 2, byrow = TRUE)
  three <- matrix(c(0, 1, 2, 4, 0, 1, 1, 3, 0), 3, byrow = TRUE)
  for (split in c(6, 20)) {
    by <- function(name, ...) add(sprintf("%s_split%d", name, split), ..., minsplit = split, cp = 0)
    by("kyphosis_1_2", "r_kyphosis", Kyphosis ~ ., two(1, 2))
    by("kyphosis_1_4", "r_kyphosis", Kyphosis ~ ., two(1, 4))
    by("kyphosis_5_2", "r_kyphosis", Kyphosis ~ ., two(5, 2))
    by("kyphosis_weights", "r_kyphosis", Kyphosis ~ ., two(1, 3), c(1, 2, 1, 3))
    by("vote_1_10", "vote", Class ~ ., two(1, 10))
    by("vote_10_1", "vote", Class ~ ., two(10, 1))
    by("vote_weights", "vote", Class ~ ., two(3, 1), c(1, 2, 1, 3))
    by("iris", "r_iris", Species ~ ., three)
    by("iris_missing", "iris_missing", Species ~ ., three)
    by("iris_missing_rowss", "iris_missing", Species ~ ., three, c(0.5, 1.25, 2, 0.75, 1))
  }
  notes <- c("made by rpart_losses.R; row i of the rows used is in group (i - 1) mod 10 + 1",
             "mean_cost: of the held-out rows by xpred.rpart and the loss, for each line of the table",
             "standard_error: of that mean, the spread of what each row costs divided by the root of the weight")
  out <- gzfile(file.path(here, "rpart_losses.json.gz"), "w", compression = 9)
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = notes, runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) main_losses()
