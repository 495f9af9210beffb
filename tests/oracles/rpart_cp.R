# Tables of rpart's cross-validation, recorded: Rscript tests/oracles/rpart_cp.R writes rpart_cp.json.gz
# beside it (rpart 4.1.19). The rows are put into ten groups in turn; prune() is asked for the tree of each line.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart.R"))

record_table <- function(name, data, rows, formula, weights = NULL, parms = list(), ...) {
  columns <- setdiff(names(rows), all.vars(formula[[2]]))
  if (length(formula[[3]]) == 1) formula <- reformulate(sprintf("`%s`", columns), formula[[2]])
  rows <- rows[!is.na(rows[[all.vars(formula[[2]])]]), ]
  used <- setdiff(all.vars(formula), all.vars(formula[[2]]))
  if (is.null(weights)) rows <- rows[rowSums(!is.na(rows[used])) > 0, ]
  groups <- rep_len(1:10, nrow(rows))
  arguments <- list(formula = formula, data = rows, control = rpart.control(xval = groups, ...))
  if (length(parms)) arguments$parms <- parms
  if (!is.null(weights)) arguments$weights <- rep_len(weights, nrow(rows))
  fit <- do.call(rpart, arguments)
  kind <- if (fit$method == "class") "class" else "vector"
  said <- function(cp) I(as.character(signif(as.numeric(predict(prune(fit, cp), rows, type = kind)), 12)))
  if (kind == "class") said <- function(cp) I(as.integer(predict(prune(fit, cp), rows, type = kind)) - 1L)
  fit$call <- NULL
  list(
    name = name, data = data, target = all.vars(formula[[2]]), features = I(used), n = nrow(rows),
    weights = if (!is.null(weights)) I(arguments$weights), method = fit$method, given = names_of(parms),
    parms = fit$parms, control = fit$control[names(fit$control) != "xval"],
    cptable = as.data.frame(fit$cptable), pruned = unname(lapply(fit$cptable[, "CP"], said)),
    printed = I(trimws(utils::capture.output(printcp(fit)), "right")),
    ylevels = attr(fit, "ylevels"), xlevels = lapply(attr(fit, "xlevels"), I),
    ordered = names_of(which(fit$ordered)), new = NULL
  )
}

main_table <- function() {
  sizes <- list(size = c("S", "M", "L", "XL", "XXL"))
  runs <- list()
  add <- function(name, data, formula, ...) {
    rows <- read_rows(file.path(here, "data", paste0(data, ".csv")), if (data == "rpart_sizes") sizes)
    runs[[length(runs) + 1]] <<- record_table(name, data, rows, formula, ...)
  }
  loss2 <- list(loss = matrix(c(0, 1, 2, 0), 2, byrow = TRUE))
  loss3 <- list(loss = matrix(c(0, 1, 2, 4, 0, 1, 1, 3, 0), 3, byrow = TRUE))
  for (cp in c(0.01, 0, -1)) for (split in c(6, 20)) {
    name <- function(x) sprintf("%s_split%d_cp%g", x, split, cp)
    by <- function(x, ...) add(name(x), ..., minsplit = split, cp = cp)
    by("kyphosis", "r_kyphosis", Kyphosis ~ .)
    by("kyphosis_information", "r_kyphosis", Kyphosis ~ ., parms = list(split = "information"))
    by("kyphosis_prior", "r_kyphosis", Kyphosis ~ ., parms = list(prior = c(0.65, 0.35)))
    by("kyphosis_even_loss", "r_kyphosis", Kyphosis ~ ., parms = list(loss = matrix(c(0, 2, 2, 0), 2)))
    by("kyphosis_loss", "r_kyphosis", Kyphosis ~ ., parms = loss2)
    by("kyphosis_weights", "r_kyphosis", Kyphosis ~ ., c(1, 2, 1, 3))
    by("iris", "r_iris", Species ~ .)
    by("iris_missing", "iris_missing", Species ~ .)
    by("iris_missing_prior", "iris_missing", Species ~ ., parms = list(prior = c(0.2, 0.5, 0.3)))
    by("iris_missing_loss", "iris_missing", Species ~ ., parms = loss3)
    by("iris_missing_rowss", "iris_missing", Species ~ ., c(0.5, 1.25, 2, 0.75, 1))
    by("car", "r_car.test.frame", Mileage ~ .)
    by("car_price", "r_car.test.frame", Price ~ .)
    by("car_weights", "r_car.test.frame", Mileage ~ ., c(1, 2, 1, 3))
    by("labor", "labor", class ~ .)
    by("vote", "vote", Class ~ .)
    by("vote_prior", "vote", Class ~ ., parms = list(prior = c(0.3, 0.7)))
    by("sizes", "rpart_sizes", class ~ size + colour + a + b)
    by("sizes_y", "rpart_sizes", y ~ size + colour + a + b)
    by("iris_stay", "iris_missing", Species ~ ., usesurrogate = 0)
  }
  out <- gzfile(file.path(here, "rpart_cp.json.gz"), "w", compression = 9)
  notes <- c("made by rpart_cp.R; row i of the rows used is in group (i - 1) mod 10 + 1",
             "pruned: what prune(fit, CP) predicts for each line of the table, classes counted from 0")
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = notes, runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) main_table()
