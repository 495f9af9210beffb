# Trees of rpart with method = "poisson", recorded: Rscript tests/oracles/rpart_poisson.R writes
# rpart_poisson.json.gz beside it (rpart 4.1.19), and data/r_solder.csv. First come those of rpart's own tests
# (testall.R, treble.R, xpred2.R) and of its vignette, then trees of tables drawn at random, which are kept in the
# file, too: with exposures, weights, names, missing values and every shrinkage. Each has its table of
# cross-validation, with given groups.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart.R"))

record_rates <- function(name, data, rows, formula, groups = 10, taken = seq_len(nrow(rows)), weights = NULL,
                         parms = list(), ...) {
  rows <- rows[taken, ]
  groups <- if (length(groups) == 1) rep_len(seq_len(groups), nrow(rows)) else groups[taken]
  run <- record(name, data, rows, formula, weights, parms, new = FALSE, ...)
  run$features <- I(setdiff(run$features, all.vars(formula[[2]])))
  arguments <- list(formula = reformulate(run$features, formula[[2]]), data = rows,
                    control = rpart.control(xval = groups, ...))
  if (length(parms)) arguments$parms <- parms
  if (!is.null(weights)) arguments$weights <- rep_len(weights, nrow(rows))
  fit <- do.call(rpart, arguments)
  stopifnot(fit$method == "poisson")
  kept <- setdiff(seq_len(nrow(rows)), fit$na.action)
  fit$call <- NULL
  fit$na.action <- NULL
  c(run, list(taken = I(taken - 1L), groups = I(groups[kept]), cptable = as.data.frame(fit$cptable),
              printed = I(capture.output(printcp(fit)))))
}

pseudo <- function(n, first) Reduce(function(x, i) 4 * x * (1 - x), seq_len(n - 1), first, accumulate = TRUE)

one_of <- function(...) sample(list(...), 1)[[1]]

draw_table <- function() {
  n <- sample(20:60, 1)
  x <- data.frame(a = sample(9, n, TRUE), b = round(rnorm(n), 2), c = factor(sample(letters[1:5], n, TRUE), letters[1:5]),
                  d = factor(sample(LETTERS[1:9], n, TRUE), LETTERS[1:9]))
  if (runif(1) < 0.4) for (j in 1:4) x[[j]][runif(n) < one_of(0, 0.1, 0.2)] <- NA
  time <- if (runif(1) < 0.3) rep(1, n) else round(rexp(n) + 0.1, one_of(1, 2))
  rate <- exp(0.2 * replace(x$a, is.na(x$a), 5) - 1 + ifelse(x$c %in% c("b", "d"), 1, 0) - one_of(0, 1, 2))
  data.frame(time = time, events = rpois(n, rate * time), x)
}

draw_run <- function(number) {
  rows <- draw_table()
  while (sum(rows$events) < 3) rows <- draw_table()
  split <- one_of(4, 8, 20)
  run <- record_rates(
    paste0("drawn_", number), "drawn", rows, cbind(time, events) ~ a + b + c + d, groups = one_of(3, 5, 10),
    weights = one_of(NULL, NULL, 1:3, c(0.5, 1.25, 2)), parms = list(shrink = one_of(0.25, 0.5, 1, 1, 2, 10)),
    minsplit = split, minbucket = one_of(1, round(split / 3)), cp = one_of(0.01, 0.001, 0.05),
    usesurrogate = one_of(0, 1, 2, 2)
  )
  c(run, list(table = lapply(rows, exact)))
}

main_rates <- function() {
  runs <- list()
  add <- function(...) runs[[length(runs) + 1]] <<- record_rates(...)
  file <- file.path(here, "data", "r_stagec.csv")
  stagec <- read_rows(file)
  write.csv(solder.balance, file.path(here, "data", "r_solder.csv"), row.names = FALSE, quote = FALSE)
  solder <- cbind(one = 1, solder.balance)
  rate <- cbind(pgtime, pgstat) ~ age + eet + g2 + grade + gleason + ploidy
  stage <- function(name, ...) add(name, "r_stagec", stagec, rate, ...)

  stage("testall_1", usesurrogate = 0, cp = 0)
  stage("treble_1", parms = list(shrink = 0), maxsurrogate = 0, cp = 0)
  stage("treble_1b", weights = 3, parms = list(shrink = 0), maxsurrogate = 0, cp = 0)
  folds <- rep_len(1:10, 146)[order(pseudo(146, pi / 4))]
  stage("treble_2", folds, rep(1:146, rep_len(1:5, 146)), minsplit = 2, cp = 0.025)
  stage("treble_2b", folds, weights = 1:5, minsplit = 2, cp = 0.025)
  stage("xpred2", 3)
  for (k in 1:3) stage(paste0("xpred2_without_", k), taken = which(rep_len(1:3, 146) != k))
  for (shrink in c(0.25, 0.5, 2, 10)) stage(paste0("shrink_", shrink), parms = list(shrink = shrink), cp = 0.001)
  for (use in 0:2) stage(paste0("use_", use), usesurrogate = use, cp = 0.001, minsplit = 6)
  skips <- cbind(one, skips) ~ Opening + Solder + Mask + PadType + Panel
  add("longintro_solder", "r_solder", solder, skips, cp = 0.05, maxcompete = 2)
  add("solder_full", "r_solder", solder, skips, cp = 0.001)
  add("solder_shrink0", "r_solder", solder, skips, parms = list(shrink = 0), cp = 0.002)
  set.seed(1)
  runs <- c(runs, lapply(1:60, draw_run))

  out <- gzfile(file.path(here, "rpart_poisson.json.gz"), "w", compression = 9)
  notes <- c("made by rpart_poisson.R; in the form of rpart_more.json.gz; target: exposure, events",
             "taken: which rows of the table; groups: of the rows used, that of the cross-validation",
             "yval2: rate, events; parms: shrink, and 1 for the deviance")
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = notes, runs = runs)
  text <- gsub(":Inf", ":Infinity", json(facts), fixed = TRUE)
  writeLines(gsub("},{", "},\n{", text, fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) main_rates()
