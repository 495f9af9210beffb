# The trees of rpart's own tests, recorded: Rscript tests/oracles/rpart_own.R writes rpart_own.json.gz beside it
# (rpart 4.1.19), and the tables that it needs into data/. The tests are those in the folder tests of rpart's
# sources, but for what is not here: poisson, exp, functions of users, cost. Where a test draws the groups of its
# cross-validation, or has none, the rows are put into ten groups in turn. The last tree is that of the cars of
# 1990 in rpart's vignette.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "rpart.R"))

own_tables <- function() {
  states <- data.frame(state.x77, region = factor(state.region))
  names(states) <- c("population", "income", "illiteracy", "life", "murder", "hs.grad", "frost", "area", "region")
  cars <- transform(car90[setdiff(names(car90), c("Rim", "Tires", "Model2"))], Price = Price / 1000)
  for (name in c("Trans1", "Trans2")) levels(cars[[name]])[levels(cars[[name]]) == ""] <- "none"
  dummy <- c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9) / 5
  priors <- data.frame(y = factor(rep(1:3, 5)), x1 = 1:15, x2 = c(1:6, 1:6, 1:3), x3 = (rep(1:3, 5) + dummy) * 10)
  priors$x3[c(1, 5, 10)] <- NA
  priors$y[15] <- 1
  list(
    r_states = states, r_mtcars = transform(mtcars, gear = factor(gear), carb = factor(carb)),
    r_stagec = transform(stagec, pgstat = factor(pgstat)), r_cu.summary = cu.summary, r_car90 = cars,
    rpart_priors = priors,
    rpart_treble2 = data.frame(y = 1:10, x1 = c(10:4, 1:3), x2 = c(1, 3, 5, 7, 9, 2, 4, 6, 8, 0)),
    rpart_xpred1 = data.frame(y = 1:12, x1 = 12:1, x2 = c(1, 1, 5, 5, 4, 4, 9, 9, 7, 7, 3, 3))
  )
}

pseudo <- function(n, first) Reduce(function(x, i) 4 * x * (1 - x), seq_len(n - 1), first, accumulate = TRUE)

record_own <- function(name, data, tables, formula, groups = 10, taken = NULL, weights = NULL, parms = list(), ...) {
  rows <- tables[[data]]
  if (is.null(taken)) taken <- seq_len(nrow(rows))
  groups <- if (length(groups) == 1) rep_len(seq_len(groups), length(taken)) else groups[taken]
  run <- record(name, data, rows[taken, ], formula, weights, parms, new = FALSE, ...)
  arguments <- list(formula = reformulate(run$features, run$target), data = rows[taken, ],
                    control = rpart.control(xval = groups, ...))
  if (length(parms)) arguments$parms <- parms
  if (!is.null(weights)) arguments$weights <- rep_len(weights, length(taken))
  fit <- do.call(rpart, arguments)
  kept <- setdiff(seq_along(taken), fit$na.action)
  c(run, list(taken = I(taken - 1L), groups = I(groups[kept]), cptable = as.data.frame(fit$cptable)))
}

main_own <- function() {
  tables <- own_tables()
  for (name in names(tables)) {
    write.csv(tables[[name]], file.path(here, "data", paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  }
  kept <- c("r_iris", "r_kyphosis")
  tables[kept] <- lapply(file.path(here, "data", paste0(kept, ".csv")), read_rows)
  runs <- list()
  add <- function(...) runs[[length(runs) + 1]] <<- record_own(..., tables = tables)
  every <- function(data, but) reformulate(setdiff(names(tables[[data]]), but), but[1])

  add("backticks", "r_iris", Species ~ Sepal.Length)

  income <- income ~ population + illiteracy + murder + hs.grad + region
  add("cptest_1", "r_states", income, cp = 0.089)
  add("cptest_2", "r_states", income, taken = rep(1:50, 20), cp = 0.089, minsplit = 400, minbucket = 140)

  add("minus_in_formula_1", "r_mtcars", every("r_mtcars", c("mpg", "gear")))
  add("minus_in_formula_3", "r_mtcars", every("r_mtcars", c("mpg", "gear", "carb")))

  loss3 <- matrix(c(0, 2, 2, 2, 0, 6, 1, 1, 0), 3, 3, byrow = TRUE)
  add("priors", "rpart_priors", y ~ x1 + x2 + x3, parms = list(prior = c(0.2, 0.3, 0.5), loss = loss3), cp = 0,
      minsplit = 5, maxdepth = 1)

  income <- income ~ population + region + illiteracy + life + murder + hs.grad + frost
  by_income <- replace(1:50, order(tables$r_states$income), rep_len(1:10, 50))
  pgstat <- pgstat ~ age + eet + g2 + grade + gleason + ploidy
  add("testall_4", "r_states", income, by_income, minsplit = 10)
  add("testall_4_subset", "r_states", income, taken = which(by_income != 3), minsplit = 10)
  add("testall_5", "r_stagec", pgstat)
  add("testall_6", "r_stagec", pgstat, parms = list(prior = c(0.5, 0.5)))
  add("testall_car", "r_cu.summary", Reliability ~ Price + Country + Mileage + Type, 8)

  add("treble2_4", "r_states", income, minsplit = 10)
  add("treble2_4b", "r_states", income, weights = 3, minsplit = 10)
  add("treble2_1", "rpart_treble2", y ~ x1 + x2, minsplit = 4)
  add("treble2_2", "rpart_treble2", y ~ x1 + x2, weights = 2, minsplit = 4)
  full <- function(...) add(..., minsplit = 2, maxsurrogate = 0, maxcompete = 3, maxdepth = 3)
  full("treble2_5", "r_states", income, taken = rep(1:50, rep_len(1:5, 50)))
  full("treble2_5b", "r_states", income, weights = 1:5)

  country <- Country ~ Reliability + Price + Mileage + Type
  add("treble3_1", "r_cu.summary", country)
  add("treble3_2", "r_cu.summary", country, weights = 3)

  kyphosis <- Kyphosis ~ Age + Number + Start
  costs <- list(prior = c(0.7, 0.3), loss = matrix(c(0, 1, 2, 0), 2))
  add("treble4_1", "r_kyphosis", kyphosis, parms = costs, maxsurrogate = 0, cp = 1e-15)
  add("treble4_1b", "r_kyphosis", kyphosis, weights = 3, parms = costs, maxsurrogate = 0, cp = 1e-15)
  folds <- rep_len(1:10, 81)[order(pseudo(81, pi / 6))]
  few <- function(...) add(..., parms = costs, minsplit = 2, maxsurrogate = 0, cp = 0.039)
  few("treble4_2", "r_kyphosis", kyphosis, folds, taken = rep(1:81, rep_len(1:7, 81)))
  few("treble4_2b", "r_kyphosis", kyphosis, folds, weights = 1:7)

  add("usersplits_2", "r_states", income ~ population + illiteracy + murder + hs.grad + region, 5, minsplit = 10)
  add("xpred1", "rpart_xpred1", y ~ x1 + x2, 3, minsplit = 6)
  for (k in 1:3) {
    add(paste0("xpred1_without_", k), "rpart_xpred1", y ~ x1 + x2, taken = which(rep_len(1:3, 12) != k), minsplit = 6)
  }
  add("longintro_cars", "r_car90", Price ~ .)

  out <- gzfile(file.path(here, "rpart_own.json.gz"), "w", compression = 9)
  notes <- c("made by rpart_own.R; in the form of rpart_more.json.gz, by name of the test",
             "taken: which rows of the table; groups: of the rows used, that of the cross-validation")
  facts <- list(tool = "rpart", version = as.character(packageVersion("rpart")), R = R.version.string,
                notes = notes, runs = runs)
  writeLines(gsub("},{", "},\n{", json(facts), fixed = TRUE), out)
  close(out)
}

if (sys.nframe() == 0) main_own()
