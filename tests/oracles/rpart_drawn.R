# Trees of rpart from tables drawn at random, recorded: Rscript tests/oracles/rpart_drawn.R writes
# rpart_drawn.json.gz beside it (rpart 4.1.19). In these tables equal splits, equal surrogates and rows of
# weight 0 abound. Given a seed, a number of each kind and a file, it draws other tables and writes them there.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart.R"))

one_of <- function(...) sample(list(...), 1)[[1]]
is_drawn <- function(p) runif(1) < p

draw_column <- function(base, k) {
  # A column that says much the same as another one: numbers, names in an order, or names.
  x <- ifelse(runif(length(base)) < one_of(0, 0, 0.1, 0.3), sample(k, length(base), TRUE), base)
  x <- switch(sample(4, 1), x, k + 1 - x, x + sample(0:1, length(x), TRUE, c(4, 1)), pmin(x, sample(k, 1)))
  if (is_drawn(0.2)) return(factor(letters[x %% 8 + 1], letters[1:8], ordered = is_drawn(0.4)))
  round(x / one_of(1, 1, 2, 10) - one_of(0, 0, 2), 2)
}

draw_rows <- function(kind) {
  n <- if (kind == "surrogates") sample(8:24, 1) else sample(12:40, 1)
  k <- one_of(2, 4, 8, 14)
  base <- sample(k, n, TRUE)
  x <- lapply(seq_len(sample(2:4, 1)), function(j) draw_column(base, k))
  rows <- as.data.frame(setNames(x, letters[seq_along(x)]))
  for (j in seq_along(rows)) rows[[j]][runif(n) < one_of(0, 0, 0, 0.1, 0.3)] <- NA
  known <- rowSums(!is.na(rows)) > 0
  rows <- rows[known, , drop = FALSE]
  n <- nrow(rows)
  y <- base[known] + sample(-1:1, n, TRUE, c(1, 3, 1))
  finely <- round(0.3 * y + one_of(0, 1) * sample(9, n, TRUE) / 10, 1)
  rows$y <- if (is_drawn(0.4)) factor(paste0("c", y %% sample(2:3, 1))) else finely
  rows
}

draw_weights <- function(kind, n) {
  if (kind == "ties" && is_drawn(0.7)) return(NULL)
  w <- sample(one_of(1:3, c(0.1, 0.2, 0.6, 0.7), c(0.1, 0.2, 0.3, 0.4)), n, TRUE)
  if (kind == "zeros") w[runif(n) < one_of(0.1, 0.3)] <- 0
  w
}

draw_parms <- function(y, w) {
  # No entropy of weights such as 0.1, for which rpart takes a logarithm of a little less than 0.
  K <- nlevels(y)
  loss <- matrix(sample(4, K * K, TRUE), K)
  diag(loss) <- 0
  parms <- list()
  if (all(w == round(w))) parms$split <- one_of("gini", "information")
  if (is_drawn(0.2)) parms$prior <- if (K == 2) c(0.3, 0.7) else c(0.2, 0.3, 0.5)
  if (is_drawn(0.2)) parms$loss <- loss
  parms
}

is_noise <- function(fit) {
  # Whether a node is split that has one number, but for a rounded mean, or where that is all that is gained.
  asks <- fit$frame$var != "<leaf>"
  sizes <- (1 + fit$frame$ncompete + fit$frame$nsurrogate)[asks]
  improve <- fit$splits[cumsum(c(1, sizes))[seq_along(sizes)], "improve"]
  few <- c(fit$frame$dev[asks] / fit$frame$dev[1], improve, fit$frame$complexity[asks])
  fit$method == "anova" && any(few < 1e-10)
}

record_drawn <- function(kind) {
  repeat {
    rows <- draw_rows(kind)
    w <- draw_weights(kind, nrow(rows))
    some <- if (is.null(w)) rep(1, nrow(rows)) else w
    if (is.factor(rows$y) && (nlevels(rows$y) < 2 || any(tapply(some, rows$y, sum) == 0))) next
    least <- sample(1:4, 1)
    # Below 0, a pure node may stop all others; at 0, rounding decides whether splits that save no error stay.
    control <- rpart.control(minsplit = one_of(2, 3, 4) * least, minbucket = least, xval = 0, maxcompete = 0,
                             cp = if (is.factor(rows$y)) -1 else 0, maxdepth = sample(1:4, 1),
                             surrogatestyle = sample(0:1, 1), usesurrogate = sample(c(0, 1, 2, 2), 1))
    arguments <- list(formula = y ~ ., data = rows, control = control)
    if (!is.null(w)) arguments$weights <- w
    if (is.factor(rows$y)) parms <- draw_parms(rows$y, some) else parms <- list()
    if (length(parms)) arguments$parms <- parms
    fit <- do.call(rpart, arguments)
    if (!is.null(fit$splits) && !is_noise(fit)) break
  }
  x <- rows[setdiff(names(rows), "y")]
  words <- function(column) I(if (is.factor(column)) as.character(column) else column)
  frame <- cbind(node = as.integer(row.names(fit$frame)), fit$frame[c("var", "n", "ncompete", "nsurrogate")])
  splits <- cbind(var = rownames(fit$splits), data.frame(fit$splits, row.names = NULL)[-3][-4])
  table <- model.frame(delete.response(fit$terms), x, na.action = na.pass, xlev = attr(fit, "xlevels"))
  list(
    kind = kind, x = lapply(x, words), y = words(rows$y), weights = if (!is.null(w)) I(w),
    method = fit$method, given = names_of(parms), parms = if (fit$method == "class") fit$parms,
    features = I(names(x)), control = fit$control[names(fit$control) != "xval"], frame = lapply(frame, I),
    splits = lapply(splits, I), csplit = fit$csplit,
    where = I(unname(rpart:::pred.rpart(fit, rpart:::rpart.matrix(table)))),
    ylevels = attr(fit, "ylevels"), xlevels = lapply(attr(fit, "xlevels"), I),
    ordered = names_of(which(fit$ordered))
  )
}

main_drawn <- function(seed, numbers, file) {
  set.seed(seed)
  runs <- lapply(rep(names(numbers), numbers), record_drawn)
  out <- gzfile(file, "w", compression = 9)
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = "made by rpart_drawn.R; in the form of rpart_more.json.gz", runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) {
  given <- commandArgs(trailingOnly = TRUE)
  if (!length(given)) given <- c(1, 1000, 300, 100, file.path(here, "rpart_drawn.json.gz"))
  kinds <- c("ties", "surrogates", "zeros")
  main_drawn(as.integer(given[1]), setNames(as.integer(given[2:4]), kinds), given[5])
}
