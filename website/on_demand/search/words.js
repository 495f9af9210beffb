// What a word is in a book on trees: how a text is cut into words, which of them are one word, and which say nothing.
(() => {
  // Words: runs of letters and digits, joined by _ . or -; g(t); runs of Chinese, which are cut into pairs of signs.
  const WORD = /\p{Script=Han}+|\p{L}\(\p{L}\)|(?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:[_.-]+(?:(?!\p{Script=Han})[\p{L}\p{N}])+)*/gu;
  const HAN = /^\p{Script=Han}/u;
  const STOP = new Set(
    ("a an and are as at be by can could did do does for from has have how i if in into is it its my not of on or " +
      "so than that the then there these they this to was we what when where which who why will with you your " +
      "always am between exactly find get gets got handle handled handles handling make makes me instead just like likes much need needs really should use used uses using vs").split(" "),
  );
  const JOINTS = /为什么|什么|如何|怎么|怎样|区别|的|和|与|是|在|了|吗|呢/u;
  const GREEK = { α: "alpha", β: "beta", ε: "epsilon", χ: "chi", σ: "sigma", μ: "mu", ρ: "rho", λ: "lambda" };

  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/['’]s\b/g, "").replace(/['’]/g, "");
  const words = (text) => plain(text).match(WORD) || [];
  const pairs = (run) => (run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));

  // One stem for prune, pruned, pruning; for category, categories, categorical; for leaf, leaves; for predict, prediction;
  // for normalize, normalise; for color, colour; for zero, 0.
  function stem(word) {
    if (word === "zero") return "0";
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    let base = word.replace(/ies$/, "y").replace(/(l|ea)ves$/, "$1f").replace(/([^s])s$/, "$1");
    base = base.replace(/(.{4})ing$|(?:ed|ly)$/, "$1").replace(/e$/, "").replace(/([^aeiouy])\1$/, "$1");
    base = base.replace(/([bilv])our$/, "$1or").replace(/(.{3}[dlmnrt])is$/, "$1iz");
    if (base.length > 5) base = base.replace(/i[sz]ation$/, "iz").replace(/([st])ion$|(?:ical|ic|y)$/, "$1");
    return base.length > 2 ? base : word;
  }

  // The words that a hyphen joins: cross-validation is cross validation, too.
  const apart = (word) => (/^\p{L}+(-\p{L}+)+$/u.test(word) ? word.split("-") : [word]);

  // A name of a program in words: cost_complexity_path, RandomForestClassifier, what ends in a kind of class alone; names
  // of firms, such as LightGBM, stay whole.
  const CLASS = /(\p{Ll})(?:Classifier|Regressor|CV)\b/u;
  const spoken = (text, isKnown) =>
    text.replace(/[\w.]+/g, (name) => {
      if (CLASS.test(name)) return name.replace(CLASS, "$1").replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");
      return /\p{L}_+\p{L}/u.test(name) && !isKnown(name) ? name.replace(/_+/g, " ") : name;
    });

  // What a word is looked up by: itself, its stem, and the parts of a joined word.
  function terms(word) {
    if (HAN.test(word)) return [...new Set([...word, ...pairs(word)])];
    const parts = word.split(/[_.-]+/);
    const whole = parts.length > 1 && !/[_.]/.test(word) ? [parts.join("")] : [];
    const all = [word, ...whole, ...(parts.length > 1 ? parts : [])];
    return [...new Set([...all, ...all.map(stem), ...[...word].flatMap((letter) => GREEK[letter] || [])])];
  }

  // Words of a sentence that name no thing: they help to find a place, and say little of what a book has to say.
  const PLAIN = new Set(
    ("able about above accept accepted access according account accurate accurately achieve across actual actually " +
      "adapt add adding additional adequate adjust admit advance advantage advantages advice affect affected " +
      "affects after again against agree aim allow allowed almost alone along already also alternative " +
      "alternatively although amount analogous another answer any anyhow anyone anything anyway apart apparent " +
      "apparently appear apply approach appropriate approximately arbitrary arise around arrive ask asked asking " +
      "assess assign assume assumed assuming assumption attempt attempted automatic automatically available avoid " +
      "avoided avoiding aware away awesome back bad based basic basically because become before begin beginner " +
      "behave behavior behaviour being below benefit besides best better beyond big bit blindly blog both briefly " +
      "bring broken build building built calculate calculated calculates calculating calculation call called came " +
      "cannot careful carefully carry case cases cause causes causing center certain challenge change changed " +
      "changes changing check choice choose chosen claim classic cleaner cleanly clear clearly clever close closely " +
      "coding collect combine come comes coming comments common compare compared compile complain complete " +
      "completely complex complicated component comprehensive compute computed computer computes computing concept conclude " +
      "conclusion conduct confirm confuse confused confuses confusing confusion connection consequence consequently " +
      "consider considered considering consistent consistently construct constructing contain contains context " +
      "contrary contribute convenient conversely convert converted converting convince correct correctly couple " +
      "cover covered create created creating criteria crucial curious current currently daily deal dealing decent " +
      "decide deep deeper default define defined definitely definition deliver demonstrate deny depend depending " +
      "depends derive derived describe deserve designed desirable desired despite detail details determine " +
      "determining develop developed development did differ difference different differently differing difficult " +
      "difficulty direct directly discover discuss discussed discussion display displayed distinct distinguish doc " +
      "documentation documented done doubt down drawback drawbacks drop dropped drops due during each earlier ease " +
      "easily easy effective effectively efficient efficiently effort elegant element else employ enable encounter " +
      "encountered end ends enough enter entire entirely equal equally equivalent especially essential essentially " +
      "establish etc evaluate evaluated even ever every everything exact examples exceed excellent except exclude " +
      "execute exist existing exists expect expectation expected experience explain explained explanation explore " +
      "express extend extent extra extract extremely face facing fact fail failed failing fails fair fairly " +
      "familiar fancy fantastic far fast faster feel few figure final finally finding finds fine finish first fix " +
      "fixed fixing flexible focus follow followed following follows force forced forces form former found full " +
      "fundamental fundamentally further future gained general generally generate gets give given gives giving go " +
      "goes going gone good got gotten gradually grasp great greater greatly guarantee guarantees guess guide handy " +
      "happen happened happening happens hard hardly harm having heavily hello help helped helpful helps here hi " +
      "high higher highlight highly hint hold home honest hope however huge idea ideal ideally identical identify " +
      "ignore ignored ignores illustrate imagine immediate immediately impact implement implementation implemented " +
      "implementing implication implications implies imply important impossible improved improvement improves " +
      "improving include includes including inconsistent incorrect incorrectly increase increased increases " +
      "increasing indeed indicate indicated indicates individual inform initial initially inside insight insights " +
      "inspect instead intend intended interest interested interesting internal internally interpret interpretation " +
      "introduce introduced introduction intuition invalid investigate involve involved involves issue issues items " +
      "itself job judge justify keep keeping keeps key kind know known lack lacks larger last lately later latter " +
      "lead leading leads learn least less let lib limited listed literature little logic logical long longer look " +
      "looking looks lose lost lot lots lovely low lower luck magic magically main mainly maintain major manual " +
      "manually many mark match mathematically matter matters maybe meaning means mention mentioned merely mess " +
      "messed might mine minor misleading mistake mistakes modify moment more most mostly motivation move much " +
      "multiple must mystery named natural naturally nature near neat necessary need needed neglect neither never " +
      "new newly next nice nicely no nobody none nonetheless nonsense nontrivial nor normal normally note noted " +
      "notes nothing notice noticed now observe observed obtain obvious obviously occur occurs odd offer often ok " +
      "old once one ones only onto operate operation opinion opposed opposite option optional ordinary originally " +
      "other others otherwise our out outcome outperform over overall overview own part partial particular partly " +
      "pass passing pay people per perfect perfectly perform performed performing perhaps permit phenomenon pick " +
      "picked picking picks piece place plan plausible please plenty plus point popular position possible possibly " +
      "post posted potential potentially powerful practice prefer preferred prepare presence present presented " +
      "preserve pretty prevent prevents previous previously principle prints probably problem problems procedure " +
      "proceed process produce produced produces producing progress promise promote proper properly propose " +
      "proposed prove proven provide provided provides providing proving pseudo publish purely purpose pursue put " +
      "puzzled puzzling quality question questions quick quickly quite quote raise raised raises randomness rarely " +
      "rather rational reach reached reaches read ready real reality realize really reason reasonable reasonably " +
      "reasoning reasons recall receive recent recently recognize recommend recommended reduce reduced reduces " +
      "reducing refer reference referred referring refers reflect refuse regarding regardless relate related " +
      "relates relationship relative relatively relevant reliable reliably rely remain remains remember remove " +
      "removed removes removing repeat repeated repeatedly replace replaced replacing report reported reporting " +
      "represent reproduce request require required requirement requires research resolve respect respectively " +
      "respond rest restrict result resulting results retain return returned returns reveal review right role rough " +
      "roughly run running runs safe safely said same satisfied satisfy save saw say saying says scenario scope " +
      "scratch screen see seem seems seen selected selecting send sense sensible separate separately serious serve " +
      "session set setting settings setup several severe shall shape sharp short should show showed showing shown " +
      "shows sided sign significant significantly silly similar similarity similarly simple simplest simplified " +
      "simplify simply since single situation slight slightly slow slower slowly small smaller so solution solve " +
      "solved solves solving some somehow someone something sometimes somewhere soon sorry special specific " +
      "specifically specified specify stage start started starting starts state stated statement states stays step " +
      "steps still straight straightforward strange strategy strictly strong stronger strongly struggle struggling " +
      "stuck studied study studying subject succeed success successful successfully such sudden suddenly sufficient " +
      "sufficiently suggest suggested suggestion suggests suit suitable summarize summary superior supported " +
      "supports suppose supposed sure surely surprised surprising surprisingly switch systematic tackle take taken " +
      "takes taking talk task technical technique techniques tell tells tend tends term terrible thank thanks " +
      "themselves theoretical theoretically therefore thing things think though thought through thus time times " +
      "tiny tip tips today together told too took topic total totally tough toward track trade traditional treat " +
      "treated treats trick tricky tried trigger trivial trouble true truly trust truth try trying turn turned " +
      "turns tutorial two typical typically ultimately unable unclear under understand understanding undesired " +
      "undocumented unexpected unfortunately unique unit universal unless unlike unnecessary unreasonable unsure " +
      "until unusual up updated updates upon upper us usage useful user usual usually utilize vague valid validity " +
      "variant varies various vary varying verify versus very via view violate visible visualise visualization " +
      "visualize visualizing wait want wanted wants way ways weird well went whatever whenever whether whichever " +
      "while whole whose why wise wish within without wonder wondered wondering wonders word words work worked " +
      "working works world worried worse worst worthwhile would write written wrong wrongly yes yet your yourself").split(" "),
  );

  const isPlain = (word) => PLAIN.has(word) || /^[\d.]+$/.test(word);

  window.bookWords = { HAN, STOP, JOINTS, isPlain, plain, words, pairs, stem, spoken, apart, terms };
})();
