import java.io.*;
import java.util.*;
import weka.classifiers.trees.J48;
import weka.core.*;

/** J48 with its own options: for each column of folds and each fold, the leaves of the tree that the other rows grow, and what it says of the fold. */
public class SideBySide {
    static int[][] folds(String file) throws Exception {
        List<int[]> rows = new ArrayList<int[]>();
        BufferedReader lines = new BufferedReader(new FileReader(file));
        lines.readLine();  // the names of the columns
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] cells = line.split(",");
            int[] row = new int[cells.length];
            for (int j = 0; j < cells.length; j++) {
                row[j] = Integer.parseInt(cells[j]);
            }
            rows.add(row);
        }
        return rows.toArray(new int[0][]);
    }

    static J48 grown(Instances data, int[][] fold, int column, int out) throws Exception {
        Instances rest = new Instances(data, 0);
        for (int i = 0; i < data.numInstances(); i++) {
            if (fold[i][column] != out) {
                rest.add(data.instance(i));
            }
        }
        J48 tree = new J48();
        tree.buildClassifier(rest);
        return tree;
    }

    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(args[0])));
        data.setClassIndex(data.numAttributes() - 1);
        int[][] fold = folds(args[1]);
        int most = 0;
        for (int[] row : fold) {
            most = Math.max(most, row[0]);
        }
        for (int column = 0; column < fold[0].length; column++) {
            for (int out = 0; out <= most; out++) {
                J48 tree = grown(data, fold, column, out);
                StringBuilder line = new StringBuilder().append((int) tree.measureNumLeaves());
                for (int i = 0; i < data.numInstances(); i++) {
                    if (fold[i][column] == out) {
                        line.append(" ").append((int) tree.classifyInstance(data.instance(i)));
                    }
                }
                System.out.println(line);
            }
        }
    }
}
