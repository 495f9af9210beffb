import java.io.*;
import java.util.*;
import weka.classifiers.trees.j48.*;
import weka.core.*;

/** Reduced-error pruning as in J48 -R: prints the rows grown from, those held out, and the tree before and after. */
public class WekaReducedError {
    /** Return the numbers of the rows, which the first attribute holds. */
    static String rows(Instances data) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < data.numInstances(); i++) {
            text.append(i > 0 ? "," : "").append((int) data.instance(i).value(0));
        }
        return text.toString();
    }

    static Instances load(String file, boolean numbered) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(file)));
        data.setClassIndex(data.numAttributes() - 1);
        if (!numbered) {
            data.deleteAttributeAt(0);
        }
        return data;
    }

    static String tree(Instances data, boolean prune, int folds, int seed) throws Exception {
        ModelSelection selection = new C45ModelSelection(2, data);
        ClassifierTree tree = new PruneableClassifierTree(selection, prune, folds, false, seed);
        tree.buildClassifier(data);
        return tree.toString().trim();
    }

    public static void main(String[] args) throws Exception {
        int folds = Integer.parseInt(args[1]), seed = Integer.parseInt(args[2]);
        Instances numbered = load(args[0], true);
        numbered.stratify(folds);  // which looks at the classes alone, as does what follows
        Instances grown = numbered.trainCV(folds, folds - 1, new Random(seed));
        System.out.println("GROWN " + rows(grown));
        System.out.println("HELD " + rows(numbered.testCV(folds, folds - 1)));
        System.out.println("FULL\n" + tree(load(args[0], false), false, folds, seed));
        System.out.println("PRUNED\n" + tree(load(args[0], false), true, folds, seed));
        System.out.println("END");
    }
}
