package weka.classifiers.trees.j48;

import java.io.*;
import java.lang.reflect.Field;
import java.util.*;
import weka.classifiers.trees.J48;
import weka.core.*;

/** J48 on rows with weights. Of each line "TABLE.arff ROWS.arff OPTIONS" of a list, a line of JSON: the tree with all class weights, the class shares of the other rows, and with -R the rows that grow the tree. */
public class WekaWeights {
    static Instances load(String file) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(file)));
        data.setClassIndex(data.numAttributes() - 1);
        return data;
    }

    static ClassifierTree root(J48 j48) throws Exception {
        Field root = J48.class.getDeclaredField("m_root");  // private in version 3.6
        root.setAccessible(true);
        return (ClassifierTree) root.get(j48);
    }

    static String numbers(double[] some) {
        StringBuilder text = new StringBuilder();
        for (double x : some) {
            text.append(text.length() > 0 ? ", " : "").append(String.format(Locale.ROOT, "%.9g", x));
        }
        return "[" + text + "]";
    }

    /** A leaf is the list of its class weights; another node what it asks, and a pair for each branch. */
    static String tree(ClassifierTree node, Instances header) throws Exception {
        if (node.m_isLeaf) {
            double[] counts = new double[header.numClasses()];
            for (int k = 0; k < counts.length; k++) {
                counts[k] = node.m_localModel.distribution().perClass(k);
            }
            return numbers(counts);
        }
        StringBuilder text = new StringBuilder("[\"" + node.m_localModel.leftSide(header).trim() + "\"");
        for (int i = 0; i < node.m_sons.length; i++) {
            String side = node.m_localModel.rightSide(i, header).trim();
            text.append(", [\"" + side + "\", " + tree(node.m_sons[i], header) + "]");
        }
        return text + "]";
    }

    /** Return the rows that grow the tree of -R: which are drawn depends on the classes alone. */
    static String grown(Instances data, J48 j48) {
        Instances numbered = new Instances(data);
        numbered.insertAttributeAt(new Attribute("number"), 0);
        for (int i = 0; i < data.numInstances(); i++) {
            numbered.instance(i).setValue(0, i);
        }
        int folds = j48.getNumFolds();
        numbered.stratify(folds);
        Instances some = numbered.trainCV(folds, folds - 1, new Random(j48.getSeed()));
        TreeSet<Integer> rows = new TreeSet<Integer>();
        for (int i = 0; i < some.numInstances(); i++) {
            rows.add((int) some.instance(i).value(0));
        }
        return rows.toString();
    }

    public static void main(String[] args) throws Exception {
        BufferedReader list = new BufferedReader(new FileReader(args[0]));
        for (String line = list.readLine(); line != null; line = list.readLine()) {
            String[] words = line.split(" ", 3);
            Instances data = load(words[0]), rows = load(words[1]);
            J48 j48 = new J48();
            j48.setOptions(Utils.splitOptions(words[2]));
            j48.buildClassifier(data);
            StringBuilder shares = new StringBuilder();
            for (int i = 0; i < rows.numInstances(); i++) {
                shares.append(i > 0 ? ", " : "").append(numbers(j48.distributionForInstance(rows.instance(i))));
            }
            String grown = j48.getReducedErrorPruning() ? grown(data, j48) : "null";
            String parts = "\"tree\": %s, \"shares\": [%s], \"grown\": %s";
            System.out.println("{" + String.format(parts, tree(root(j48), data), shares, grown) + "}");
        }
    }
}
