import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.BufferedInputStream;
import weka.classifiers.trees.J48;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/** Fits J48 to a table of numbers whenever a line comes in, and prints the seconds and the nodes of the tree. */
public class TimeJ48 {
    static Instances read(String file, int n, int d, int classes) throws Exception {
        FastVector labels = new FastVector(), columns = new FastVector();
        for (int k = 0; k < classes; k++) labels.addElement("" + k);
        for (int f = 0; f < d; f++) columns.addElement(new Attribute("x" + f));
        columns.addElement(new Attribute("y", labels));
        Instances table = new Instances("table", columns, n);
        table.setClassIndex(d);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
            for (int i = 0; i < n; i++) {
                double[] row = new double[d + 1];
                for (int f = 0; f <= d; f++) row[f] = in.readDouble();
                table.add(new Instance(1.0, row)); // NaN is missing
            }
        }
        return table;
    }

    public static void main(String[] args) throws Exception {
        Instances table = read(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            J48 tree = new J48();
            tree.setOptions(Utils.splitOptions(args[4]));
            System.gc();
            long start = System.nanoTime();
            tree.buildClassifier(table);
            System.out.println((System.nanoTime() - start) / 1e9 + " " + (int) tree.measureTreeSize());
        }
    }
}
