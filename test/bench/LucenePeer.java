import java.io.*;
import java.nio.file.Path;
import java.util.*;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.store.MMapDirectory;

/**
 * The peer Lucene: reads lines of tabs from the bench. Carriers up to an empty line (number, rank, folded legal
 * name, folded DBA, folded city, folded states), unless the index exists; then a query a line, and writes numbers.
 *
 * A query has three stages, each asked only when the one before found nothing: all words as written, or the whole
 * name as a key without blanks, as that key's beginning, or followed by a place; the key within two edits; most of
 * the words, each within two edits.
 */
public class LucenePeer {
  static final int EDITS = 2;
  static final String[] TEXTS = {"name", "dba", "city", "state"};
  static final float[] WEIGHTS = {4, 3, 2, 1};
  static Set<String> noise;
  static IndexSearcher searcher;

  public static void main(String[] args) throws Exception {
    noise = new HashSet<>(Arrays.asList(args[1].split(" ")));
    var in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    var directory = new MMapDirectory(Path.of(args[0]));
    if (!DirectoryReader.indexExists(directory)) index(directory, in);
    searcher = new IndexSearcher(DirectoryReader.open(directory));
    System.out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      var words = line.split(" ");
      ScoreDoc[] found = new ScoreDoc[0];
      for (int stage = 0; stage < 3 && found.length == 0; stage++) {
        var order = new Sort(SortField.FIELD_SCORE, new SortField("rank", SortField.Type.LONG, true));
        found = searcher.search(query(words, stage), 10, order).scoreDocs;
      }
      var out = new StringBuilder();
      for (var hit : found) out.append(searcher.doc(hit.doc).get("dot")).append(' ');
      System.out.println(out);
    }
  }

  static void index(MMapDirectory directory, BufferedReader in) throws Exception {
    var config = new IndexWriterConfig(new WhitespaceAnalyzer()).setRAMBufferSizeMB(512);
    try (var writer = new IndexWriter(directory, config)) {
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        var columns = line.split("\t", -1);
        var document = new Document();
        document.add(new StoredField("dot", columns[0]));
        document.add(new StringField("number", columns[0], Field.Store.NO));
        document.add(new NumericDocValuesField("rank", Long.parseLong(columns[1])));
        for (int i = 0; i < TEXTS.length; i++) {
          var text = String.join(" ", content(columns[2 + i].split(" ")));
          document.add(new TextField(TEXTS[i], text, Field.Store.NO));
        }
        for (var name : new String[] {columns[2], columns[3]}) {
          if (name.isEmpty()) continue;
          document.add(new StringField("whole", name.replace(" ", ""), Field.Store.NO));
          document.add(new StringField("key", key(name.split(" ")), Field.Store.NO));
        }
        var city = columns[4];
        if (!city.isEmpty()) {
          document.add(new StringField("place", city, Field.Store.NO));
          document.add(new StringField("town", city, Field.Store.NO));
        }
        for (var state : columns[6].split(",")) {
          if (state.isEmpty()) continue;
          document.add(new StringField("place", state, Field.Store.NO));
          if (!city.isEmpty()) document.add(new StringField("place", city + " " + state, Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** A name's letters without legal forms and blanks. */
  static String key(String[] words) {
    var kept = new StringBuilder();
    for (var word : words) if (!noise.contains(word)) kept.append(word);
    return kept.length() > 0 ? kept.toString() : String.join("", words);
  }

  static Query query(String[] words, int stage) throws Exception {
    var any = new BooleanQuery.Builder();
    if (stage == 0) {
      if (words.length == 1) any.add(constant(term("number", words[0]), 5000), Occur.SHOULD);
      any.add(constant(term("whole", String.join("", words)), 2000), Occur.SHOULD);
      any.add(constant(term("key", key(words)), 1000), Occur.SHOULD);
      any.add(constant(new PrefixQuery(new Term("key", key(words))), 100), Occur.SHOULD);
      any.add(byWords(words, false), Occur.SHOULD);
    }
    if (stage == 1) any.add(new BoostQuery(fuzzy("key", key(words)), 100), Occur.SHOULD);
    for (int cut = Math.max(1, words.length - 5); cut < words.length; cut++) {
      var place = String.join(" ", Arrays.copyOfRange(words, cut, words.length));
      var name = key(Arrays.copyOfRange(words, 0, cut));
      var known = searcher.getIndexReader().docFreq(new Term("place", place)) > 0;
      if (stage == 0 && known) any.add(constant(both(term("key", name), term("place", place)), 500), Occur.SHOULD);
      if (stage == 1 && known) {
        any.add(new BoostQuery(both(fuzzy("key", name), constant(term("place", place), 0)), 100), Occur.SHOULD);
      }
      if (stage == 1) any.add(new BoostQuery(both(constant(term("key", name), 0), fuzzy("town", place)), 100), Occur.SHOULD);
    }
    return stage < 2 ? any.build() : byWords(words, true);
  }

  /** All words as written, or most of them with slips. */
  static Query byWords(String[] words, boolean slips) {
    var query = new BooleanQuery.Builder();
    var kept = content(words);
    for (int i = 0; i < kept.size(); i++) {
      var word = kept.get(i);
      var forms = new ArrayList<Query>();
      for (int f = 0; f < TEXTS.length; f++) {
        forms.add(new BoostQuery(term(TEXTS[f], word), WEIGHTS[f]));
        if (slips && word.length() > 3 && f < 3) forms.add(new BoostQuery(fuzzy(TEXTS[f], word), WEIGHTS[f] / 2));
        if (i == kept.size() - 1 && f < 2) forms.add(constant(new PrefixQuery(new Term(TEXTS[f], word)), 1));
      }
      query.add(new DisjunctionMaxQuery(forms, 0), slips ? Occur.SHOULD : Occur.MUST);
    }
    if (slips) query.setMinimumNumberShouldMatch((kept.size() + 1) / 2);
    return query.build();
  }

  static List<String> content(String[] words) {
    var kept = new ArrayList<String>();
    for (var word : words) if (!noise.contains(word)) kept.add(word);
    return kept.isEmpty() ? Arrays.asList(words) : kept;
  }

  static Query fuzzy(String field, String text) {
    return new FuzzyQuery(new Term(field, text), text.length() > 5 ? EDITS : 1, 0, 50, true);
  }

  static Query term(String field, String text) {
    return new TermQuery(new Term(field, text));
  }

  static Query constant(Query query, float score) {
    return new BoostQuery(new ConstantScoreQuery(query), score);
  }

  static Query both(Query a, Query b) {
    return new BooleanQuery.Builder().add(a, Occur.MUST).add(b, Occur.MUST).build();
  }
}
