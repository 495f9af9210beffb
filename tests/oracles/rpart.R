# Trees of rpart, recorded: Rscript tests/oracles/rpart.R writes rpart_more.json.gz beside it (rpart 4.1.19).

library(rpart)
missing_marks <- c("NA", "?", "")

json <- function(x) {
  # Vectors of length 1 become single values, if they are not wrapped in I().
  array <- function(parts) paste0("[", paste(parts, collapse = ","), "]")
  object <- function(x) {
    parts <- vapply(x, json, "")
    paste0("{", paste0('"', names(x), '":', parts, recycle0 = TRUE, collapse = ","), "}")
  }
  if (is.null(x)) return("null")
  if (is.data.frame(x)) return(array(vapply(seq_len(nrow(x)), function(i) json(as.list(x[i, ])), "")))
  if (is.matrix(x)) return(array(apply(x, 1, function(row) json(I(row)))))
  if (is.list(x)) return(if (is.null(names(x))) array(vapply(x, json, "")) else object(x))
  text <- if (is.numeric(x)) number(x) else paste0('"', x, '"', recycle0 = TRUE)
  text[is.na(x)] <- "null"
  if (length(x) == 1 && !inherits(x, "AsIs")) text else array(text)
}

number <- function(x) {
  # Nine digits; but all of the rows to be predicted, which may equal a threshold.
  if (!inherits(x, "exact")) return(sprintf("%.9g", x))
  x <- unclass(replace(x, is.na(x), 0))
  ifelse(as.numeric(sprintf("%.15g", x)) == x, sprintf("%.15g", x), sprintf("%.17g", x))
}

exact <- function(x) if (is.numeric(x)) structure(x, class = c("AsIs", "exact")) else I(x)

names_of <- function(x) I(as.character(names(x)))

read_rows <- function(file, ordered = list()) {
  rows <- read.csv(file, na.strings = missing_marks, stringsAsFactors = TRUE, check.names = FALSE)
  for (name in names(ordered)) rows[[name]] <- factor(rows[[name]], ordered[[name]], ordered = TRUE)
  rows
}

new_rows <- function(rows, fit) {
  # Rows to be predicted: with holes, with numbers equal to thresholds, with names met elsewhere in the tree.
  new <- rows[seq(1, nrow(rows), length.out = min(nrow(rows), 12)), ]
  i <- seq_len(nrow(new))
  for (j in seq_along(new)) {
    change <- (i + j) %% 2 == 0
    if (is.factor(new[[j]])) {
      new[[j]][change] <- levels(new[[j]])[(i * j) %% nlevels(new[[j]]) + 1][change]
    } else {
      here <- rownames(fit$splits) == names(new)[j]
      if (any(here)) new[[j]][change] <- rep_len(fit$splits[here, "index"], nrow(new))[change]
    }
    new[[j]][(5 * i + 3 * j) %% 7 < 2 | i == 1] <- NA
  }
  new
}

record <- function(name, data, rows, formula, weights = NULL, parms = list(), new = TRUE, ...) {
  columns <- setdiff(names(rows), all.vars(formula[[2]]))
  if (length(formula[[3]]) == 1) formula <- reformulate(sprintf("`%s`", columns), formula[[2]])
  arguments <- list(formula = formula, data = rows, control = rpart.control(xval = 0, ...))
  if (length(parms)) arguments$parms <- parms
  if (!is.null(weights)) arguments$weights <- rep_len(weights, nrow(rows))
  fit <- do.call(rpart, arguments)
  splits <- fit$splits
  node <- as.integer(row.names(fit$frame))
  frame <- cbind(node, fit$frame[c("var", "n", "dev", "yval", "ncompete", "nsurrogate")])
  where <- function(x) {
    x <- model.frame(delete.response(fit$terms), x, na.action = na.pass, xlev = attr(fit, "xlevels"))
    if (is.null(splits)) rep(1L, nrow(x)) else unname(rpart:::pred.rpart(fit, rpart:::rpart.matrix(x)))
  }
  used <- all.vars(fit$terms)[-1]
  kept <- setdiff(seq_len(nrow(rows)), fit$na.action)
  if (new && !is.null(splits)) {
    fresh <- new_rows(rows[used], fit)
    new <- list(rows = lapply(fresh, exact), where = I(where(fresh)), predict = predict(fit, fresh))
  } else new <- NULL
  list(
    name = name, data = data, target = all.vars(formula[[2]]), features = I(used), n = length(kept),
    weights = if (!is.null(weights)) I(arguments$weights), method = fit$method, given = names_of(parms),
    parms = fit$parms, control = fit$control, frame = frame, yval2 = unclass(fit$frame$yval2),
    splits = if (!is.null(splits)) data.frame(var = rownames(splits), splits, row.names = NULL),
    importance = as.list(fit$variable.importance), csplit = fit$csplit, where_train = I(unname(fit$where)), where_predict = I(where(rows[kept, ])),
    ylevels = attr(fit, "ylevels"), xlevels = lapply(attr(fit, "xlevels"), I),
    ordered = names_of(which(fit$ordered)), new = new
  )
}

main <- function(here) {
  sizes <- list(size = c("S", "M", "L", "XL", "XXL"))
  runs <- list()
  add <- function(name, data, formula, ...) {
    rows <- read_rows(file.path(here, "data", paste0(data, ".csv")), if (data == "rpart_sizes") sizes)
    runs[[length(runs) + 1]] <<- record(name, data, rows, formula, ...)
  }
  by <- function(options, ...) do.call(add, c(list(...), options))
  small <- list(minsplit = 4, minbucket = 1, cp = 0)
  full <- list(minsplit = 2, minbucket = 1, cp = -1)
  class <- class ~ size + colour + a + b
  big <- big ~ size + colour + a + b
  y <- y ~ size + colour + a + b

  # Rows with missing values: every way to send them
  for (use in 0:2) for (style in 0:1) {
    way <- list(usesurrogate = use, surrogatestyle = style)
    name <- function(x) sprintf("%s_use%d_style%d", x, use, style)
    by(way, name("car"), "r_car.test.frame", Mileage ~ .)
    by(c(way, minsplit = 16, cp = 0), name("car_small"), "r_car.test.frame", Mileage ~ .)
    by(c(way, minbucket = 5, cp = 0), name("car_price"), "r_car.test.frame", Price ~ .)
    by(way, name("car_country"), "r_car.test.frame", Country ~ .)
    by(way, name("iris"), "iris_missing", Species ~ .)
    by(c(way, full), name("iris_full"), "iris_missing", Species ~ .)
    by(way, name("labor"), "labor", class ~ .)
    by(c(way, full), name("labor_full"), "labor", class ~ .)
    by(way, name("vote"), "vote", Class ~ .)
    by(c(way, minsplit = 16, cp = 0), name("vote_small"), "vote", Class ~ .)
    by(way, name("sizes"), "rpart_sizes", class)
    by(c(way, full), name("sizes_full"), "rpart_sizes", class)
    by(c(way, minsplit = 15, cp = 0), name("sizes_y"), "rpart_sizes", y)
  }

  # How much is listed, and how deep (of a list of two surrogates, see README.md)
  for (most in c(1, 2, 3, 10)) {
    by(small, paste0("labor_maxsurrogate", most), "labor", class ~ ., maxsurrogate = most)
    if (most != 2) add(paste0("car_maxsurrogate", most), "r_car.test.frame", Mileage ~ ., maxsurrogate = most)
  }
  for (most in c(0, 1, 2, 20)) {
    add(paste0("vote_maxcompete", most), "vote", Class ~ ., maxcompete = most, cp = 0)
  }
  for (depth in 1:3) add(paste0("vote_maxdepth", depth), "vote", Class ~ ., maxdepth = depth, cp = 0)

  # Priors and losses
  prior3 <- list(prior = c(0.2, 0.5, 0.3))
  loss3 <- list(loss = matrix(c(0, 1, 2, 4, 0, 1, 1, 3, 0), 3, byrow = TRUE))
  for (use in 0:2) {
    both <- c(prior3, loss3)
    add(paste0("iris_prior_use", use), "iris_missing", Species ~ ., parms = prior3, usesurrogate = use)
    add(paste0("iris_loss_use", use), "iris_missing", Species ~ ., parms = loss3, usesurrogate = use, cp = 0)
    by(small, paste0("iris_both_use", use), "iris_missing", Species ~ ., parms = both, usesurrogate = use)
    by(small, paste0("sizes_both_use", use), "rpart_sizes", class, parms = both, usesurrogate = use)
  }
  loss2 <- list(loss = matrix(c(0, 3, 1, 0), 2, byrow = TRUE))
  prior2 <- list(prior = c(0.6, 0.4), split = "information")
  for (parms in list(list(prior = c(0.3, 0.7)), loss2, c(prior2, loss2))) {
    name <- function(x) paste(c(x, names(parms)), collapse = "_")
    add(name("labor"), "labor", class ~ ., parms = parms, minsplit = 6)
    add(name("vote"), "vote", Class ~ ., parms = parms, cp = 0)
    by(small, name("kyphosis"), "r_kyphosis", Kyphosis ~ ., parms = parms)
  }

  # Both impurities, on names
  for (split in c("gini", "information")) {
    parms <- list(split = split)
    by(full, paste0("lenses_", split), "contact-lenses", `contact-lenses` ~ ., parms = parms)
    by(small, paste0("labor_", split), "labor", class ~ ., parms = parms)
    add(paste0("vote_", split), "vote", Class ~ ., parms = parms, minsplit = 6, cp = 0)
    by(small, paste0("country_", split), "r_car.test.frame", Country ~ Type + Price + Reliability,
       parms = parms)
    by(small, paste0("sizes_", split), "rpart_sizes", class, parms = parms)
    by(full, paste0("big_", split), "rpart_sizes", big, parms = parms)
  }

  # Weights
  for (weights in list(c(1, 2, 1, 3), c(0.5, 1.25, 2, 0.75, 1))) {
    name <- function(x) paste0(x, if (all(weights == round(weights))) "_whole" else "_fractional")
    add(name("car"), "r_car.test.frame", Mileage ~ ., weights, minsplit = 8, cp = 0)
    add(name("labor"), "labor", class ~ ., weights, minsplit = 8, cp = 0)
    add(name("iris"), "iris_missing", Species ~ ., weights, minsplit = 8, cp = 0)
    add(name("vote"), "vote", Class ~ ., weights)
    by(small, name("sizes"), "rpart_sizes", class, weights)
    add(name("sizes_y"), "rpart_sizes", y, weights, minsplit = 8, cp = 0)
    add(name("kyphosis_prior"), "r_kyphosis", Kyphosis ~ ., weights, list(prior = c(0.5, 0.5)), cp = 0.001)
  }

  # Small branches are forbidden: two groups of names are still a cut of their order
  for (least in c(2:6, 10)) {
    name <- function(x) paste0(x, "_minbucket", least)
    add(name("car"), "r_car.test.frame", Mileage ~ ., minbucket = least, cp = 0, new = FALSE)
    add(name("price"), "r_car.test.frame", Price ~ ., minbucket = least, cp = -1, new = FALSE)
    add(name("labor"), "labor", class ~ ., minbucket = least, cp = 0, new = FALSE)
    add(name("sizes"), "rpart_sizes", class, minbucket = least, cp = 0, new = FALSE)
    for (k in 2:3) {
      parms <- list(split = c("gini", "information")[k - 1])
      add(name(paste0("big", k)), "rpart_sizes", big, NULL, parms, minsplit = k * least, minbucket = least,
          cp = -1, new = FALSE)
    }
  }
  notes <- c(
    "made by rpart.R; node ids are heap numbers; where is a place in frame; loss[true class][said class]",
    "splits of a node: the primary one, ncompete, nsurrogate",
    "of a number, ncat -1 means x < index goes left, 1 right",
    "of names, index is a row of csplit: 1 goes left, 3 right, 2 is not there"
  )
  out <- gzfile(file.path(here, "rpart_more.json.gz"), "w", compression = 9)
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = notes, runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  main(dirname(normalizePath(file)))
}
