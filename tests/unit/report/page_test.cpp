#include "alembert/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"
#include "page_reader.hpp"
#include "report/page/text.hpp"
#include "support/data.hpp"

namespace page_test {

using namespace alembert::document;
using namespace alembert::report;
using alembert::test::count;
using alembert::test::data_blocks;
using alembert::test::has;
using Eigen::VectorXd;

Plot small_plot(const std::string& id) {
  return {.id = id,
          .title = "Motion",
          .x_label = "time [s]",
          .y_label = "displacement [m]",
          .curves = {{.name = "q1", .x = VectorXd::LinSpaced(5, 0, 1), .y = VectorXd::Ones(5)}}};
}

Document with_blocks(std::vector<Block> blocks) {
  return {.title = "Title", .facts = {}, .sections = {{"Only section", std::move(blocks)}}};
}

std::string message_of(const Document& document) {
  try {
    (void)render_html(document);
  } catch (const alembert::InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(RenderHtml, DrawsEveryKindOfBlock) {
  const std::string page = render_html(with_blocks(
      {Paragraph{"plain words"}, Paragraph{"went well", Paragraph::Kind::Good},
       Paragraph{"take care", Paragraph::Kind::Warning},
       Paragraph{"went wrong", Paragraph::Kind::Bad},
       Table{.id = "t", .title = "Numbers", .header = {"a [m]"}, .rows = {{"1"}}}, small_plot("p"),
       MatrixView{.id = "m",
                  .title = "Mass",
                  .values = Eigen::MatrixXd::Identity(2, 2),
                  .row_names = {},
                  .column_names = {}},
       Listing{"study.toml", "[simulate]"}}));
  EXPECT_TRUE(has(page, "<p>plain words</p>"));
  EXPECT_TRUE(has(page, "class=\"note good\""));
  EXPECT_TRUE(has(page, "class=\"note warning\""));
  EXPECT_TRUE(has(page, "class=\"note bad\""));
  EXPECT_TRUE(has(page, "<b>Table 1.</b> Numbers"));
  EXPECT_TRUE(has(page, "<figure class=\"chart\" id=\"p\">"));
  EXPECT_TRUE(has(page, "<figure class=\"matrix\" id=\"m\">"));
  EXPECT_TRUE(has(page, "<pre tabindex=\"0\">[simulate]</pre>"));
  EXPECT_TRUE(has(page, std::string(alembert::version())));
}

// The bar has the signs that occur, and its ends are the largest entry.
TEST(RenderHtml, MatricesHaveABarOfTheirColours) {
  const auto page_of = [](const Eigen::MatrixXd& values) {
    return render_html(with_blocks({MatrixView{.id = "m",
                                               .title = "Mass",
                                               .values = values,
                                               .row_names = {},
                                               .column_names = {},
                                               .unit = "kg"}}));
  };
  const std::string both = page_of(Eigen::Matrix2d{{2.5, -1.0}, {0.0, 1.0}});
  EXPECT_TRUE(has(both, "<div class=\"bar\">-2.5<span"));
  EXPECT_TRUE(has(both, "</span>2.5 kg, square-root scale"));
  EXPECT_EQ(count(both, "<i class=\"m\""), count(both, "<i class=\"p\""));
  const std::string above = page_of(Eigen::Matrix2d::Identity());
  EXPECT_TRUE(has(above, "<div class=\"bar\">0<span"));
  EXPECT_EQ(count(above, "<i class=\"m\""), 0U);
  // A large one is a canvas with stronger colours, none at all has no bar.
  EXPECT_TRUE(has(page_of(Eigen::MatrixXd::Identity(40, 40)), "<div class=\"bar strong\">"));
  EXPECT_FALSE(has(page_of(Eigen::Matrix2d::Zero()), "<div class=\"bar"));
}

TEST(RenderHtml, NumbersFiguresAndTablesApart) {
  const Table table{.id = "t", .title = "T", .header = {"a"}, .rows = {{"1"}}};
  const std::string page =
      render_html(with_blocks({small_plot("a"), table, small_plot("b"), table}));
  EXPECT_EQ(count(page, "<b>Figure 1.</b>"), 1U);
  EXPECT_EQ(count(page, "<b>Figure 2.</b>"), 1U);
  EXPECT_EQ(count(page, "<b>Table 2.</b>"), 1U);
  EXPECT_EQ(count(page, "<b>Figure 3.</b>"), 0U);
}

TEST(RenderHtml, ContentsAppearFromFourSectionsOn) {
  Document document{.title = "T", .facts = {}, .sections = {{"A", {}}, {"B", {}}, {"C", {}}}};
  EXPECT_FALSE(has(render_html(document), "<nav"));
  document.sections.push_back({"D", {}});
  EXPECT_TRUE(has(render_html(document), "href=\"#section-4\""));
}

TEST(RenderHtml, SameDocumentGivesSameBytes) {
  const Document document = with_blocks({small_plot("a"), small_plot("b")});
  EXPECT_EQ(render_html(document), render_html(document));
}

// Every text of a document is hostile; none of it may become markup or end a script element.
// Quotes of both kinds, or a text could leave the attribute that it stands in.
TEST(Html, ReplacesAllThatHasAMeaningInContentOrAttributes) {
  EXPECT_EQ(html("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

TEST(RenderHtml, HostileTextStaysText) {
  const std::string attack = "</script><img src=x onerror=alert(1)>\"'&";
  Plot plot = small_plot(attack);
  plot.title = plot.x_label = plot.y_label = plot.caption = attack;
  plot.curves[0].name = plot.curves[0].unit = plot.curves[0].group = attack;
  plot.markers = {{0.5, attack}};
  const Document document{
      .title = attack,
      .subtitle = attack,
      .facts = {{attack, attack}},
      .sections = {{attack,
                    {Paragraph{attack}, Paragraph{attack, Paragraph::Kind::Bad}, plot,
                     Table{.id = attack,
                           .title = attack,
                           .header = {attack},
                           .rows = {{attack}},
                           .caption = attack},
                     MatrixView{.id = attack,
                                .title = attack,
                                .values = Eigen::MatrixXd::Ones(1, 1),
                                .row_names = {attack},
                                .column_names = {attack},
                                .unit = attack,
                                .caption = attack},
                     Listing{attack, attack}}}}};
  const std::string page = render_html(document);
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "onerror=alert(1)>"));
  // Two data blocks and the page's own script.
  EXPECT_EQ(count(page, "<script"), 3U);
  EXPECT_EQ(count(page, "</script>"), 3U);
  const auto blocks = data_blocks(page);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0]["title"], attack);
  EXPECT_EQ(blocks[0]["curves"][0]["name"], attack);
  EXPECT_EQ(blocks[0]["markers"][0]["label"], attack);
  EXPECT_EQ(blocks[1]["rows"][0], attack);
}

// Messages are made for a line of a terminal; on a page they are sentences.
TEST(RenderHtml, MessagesBecomeSentences) {
  const std::string page = render_html(with_blocks(
      {Paragraph{"the start is given by `model.start`; see there", Paragraph::Kind::Warning},
       Paragraph{"data_1 has a gap"}, Paragraph{"no force moves."},
       Paragraph{"the lone ` stays"}}));
  EXPECT_TRUE(has(page, "The start is given by <code>model.start</code>; see there.</p>"));
  EXPECT_TRUE(has(page, "<p>data_1 has a gap</p>"));  // a name keeps its letters
  EXPECT_TRUE(has(page, "<p>No force moves.</p>"));
  EXPECT_TRUE(has(page, "<p>The lone ` stays.</p>"));
}

// The table of files leads to them; nothing else becomes a link, and no name leads elsewhere.
TEST(RenderHtml, FilesBesideThePageAreLinks) {
  const Table files{.id = "files",
                    .title = "Files beside this report",
                    .header = {"file", "content"},
                    .rows = {{"mass.csv, damping.csv", "see result.json"},
                             {"run-01.csv \u2026 run-12.csv", "runs"},
                             {"../secret.csv javascript:x.y", "<b>"}}};
  const std::string page = render_html(with_blocks({files}));
  EXPECT_TRUE(has(
      page, "<td><a href=\"mass.csv\">mass.csv</a>, <a href=\"damping.csv\">damping.csv</a></td>"));
  EXPECT_TRUE(has(page, "<a href=\"run-01.csv\">run-01.csv</a> \u2026 <a href=\"run-12.csv\">"));
  EXPECT_TRUE(has(page, "<td>see result.json</td>"));
  EXPECT_TRUE(has(page, "<td>../secret.csv javascript:x.y</td>"));
}

TEST(RenderHtml, BytesThatAreNotTextAreReplaced) {
  const std::string page =
      render_html(with_blocks({Paragraph{"a\xff"
                                         "b"},
                               Paragraph{"c\xc3"}, Paragraph{std::string("d\0e", 3)},
                               Paragraph{"f\xed\xa0\x80g"}, Paragraph{"h\u00e9\u2713"}}));
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_TRUE(has(page, "<p>a" + replaced + "b</p>"));
  EXPECT_TRUE(has(page, "<p>c" + replaced + "</p>"));
  EXPECT_TRUE(has(page, "<p>d" + replaced + "e</p>"));
  EXPECT_TRUE(has(page, "<p>f" + replaced + replaced + replaced + "g</p>"));  // a surrogate
  EXPECT_TRUE(has(page, "<p>h\u00e9\u2713</p>"));
}

TEST(RenderHtml, NeedsNoOtherFile) {
  const std::string page = render_html(with_blocks({small_plot("a")}));
  for (const char* reference :
       {"src=\"", "href=\"http", "url(http", "@import", "fetch(", "XMLHttpRequest", "import("}) {
    EXPECT_FALSE(has(page, reference)) << reference;
  }
  EXPECT_TRUE(has(page, "default-src 'none'"));
  EXPECT_TRUE(has(page, "Permission is hereby granted"));  // uPlot's licence travels with it
}

TEST(RenderHtml, RepeatedIdsAreMadeUnique) {
  const std::string page =
      render_html(with_blocks({small_plot("motion"), small_plot("motion"), small_plot("")}));
  EXPECT_EQ(count(page, "id=\"motion\""), 1U);
  EXPECT_EQ(count(page, "id=\"motion-2\""), 1U);
  EXPECT_EQ(count(page, "id=\"plot\""), 1U);
}

// Figure spaces (U+2007) stand for missing decimals, a punctuation space (U+2008) for the point.
TEST(RenderHtml, AlignsNumbersAtTheDecimalPoint) {
  const std::string page = render_html(
      with_blocks({Table{.id = "t",
                         .title = "T",
                         .header = {"x [m]", "name"},
                         .rows = {{"1.25", "a"}, {"-10", "b"}, {"3.5", "2 of 3"}, {"", ""}}}}));
  EXPECT_TRUE(has(page, "<td class=\"n\">1.25</td>"));
  EXPECT_TRUE(has(page, "<td class=\"n\">-10\u2008\u2007\u2007</td>"));
  EXPECT_TRUE(has(page, "<td class=\"n\">3.5\u2007</td>"));
  EXPECT_TRUE(has(page, "<td>2 of 3</td>"));
  EXPECT_TRUE(has(page, "x <span class=\"unit\">[m]</span>"));
}

TEST(RenderHtml, MarksTheStatusColumn) {
  const std::string page = render_html(with_blocks({Table{.id = "t",
                                                          .title = "T",
                                                          .header = {"claim", "result"},
                                                          .rows = {{"ok", "ok"}, {"b", "not ok"}},
                                                          .status_column = 1}}));
  EXPECT_TRUE(has(page, "<tr><td>ok</td><td class=\"good\">\u2713 ok</td></tr>"));
  EXPECT_TRUE(has(page, "<td class=\"bad\">\u2717 not ok</td>"));
}

TEST(RenderHtml, WritesSmallMatricesAsNumbersAndKeepsAllDigits) {
  Eigen::MatrixXd values(2, 3);
  values << 27071.1, 0.0, -1.0 / 3.0, 4e-300, 5.0, -10000.0;
  const std::string page = render_html(with_blocks({MatrixView{.id = "k",
                                                               .title = "K",
                                                               .values = values,
                                                               .row_names = {"a", "b"},
                                                               .column_names = {},
                                                               .unit = "N/m"}}));
  EXPECT_TRUE(has(page, ">27071</td>"));
  EXPECT_TRUE(has(page, "title=\"-0.3333333333333333\""));
  const auto block = data_blocks(page).at(0);
  EXPECT_THAT(alembert::test::numbers_in<double>(block["values"]),
              testing::ElementsAre(27071.1, 0.0, -1.0 / 3.0, 4e-300, 5.0, -10000.0));
  EXPECT_EQ(block["columns"], (std::vector<std::string>{"1", "2", "3"}));
}

TEST(RenderHtml, DrawsLargeMatricesAsPicture) {
  const std::string page =
      render_html(with_blocks({MatrixView{.id = "k",
                                          .title = "K",
                                          .values = Eigen::MatrixXd::Identity(64, 64),
                                          .row_names = {},
                                          .column_names = {}}}));
  EXPECT_TRUE(has(page, "<canvas"));
  EXPECT_FALSE(has(page, "class=\"cells\""));
}

TEST(RenderHtml, NamesTheCulpritOfBadInput) {
  Plot plot = small_plot("motion");
  plot.curves[0].y = VectorXd::Ones(4);
  EXPECT_EQ(message_of(with_blocks({plot})),
            "render_html: x of curve 'q1' in plot 'motion' must have 4 values, got 5");
  EXPECT_EQ(message_of(with_blocks(
                {Table{.id = "t", .title = "T", .header = {"a"}, .rows = {{"1"}, {"1", "2"}}}})),
            "render_html: row 2 of table 't' must have at most 1 cells, got 2");
  EXPECT_EQ(message_of(with_blocks({MatrixView{.id = "m",
                                               .title = "M",
                                               .values = Eigen::MatrixXd::Ones(2, 2),
                                               .row_names = {"a"},
                                               .column_names = {}}})),
            "render_html: row_names of matrix 'm' must have 2 names, got 1");
}

TEST(RenderHtml, TakesEmptyParts) {
  const std::string page = render_html(with_blocks(
      {Plot{.id = "p", .title = "", .x_label = "", .y_label = "", .curves = {}},
       Table{.id = "t", .title = "", .header = {}, .rows = {}},
       MatrixView{.id = "m", .title = "", .values = {}, .row_names = {}, .column_names = {}}}));
  EXPECT_TRUE(has(page, "</html>"));
  EXPECT_TRUE(has(render_html({}), "</html>"));
}

TEST(WriteReport, WritesThePageAndNamesAFileItCannotWrite) {
  const alembert::test::TemporaryFolder folder;
  const Document document = with_blocks({small_plot("a")});
  write_report(folder.path() / "report.html", document);
  EXPECT_EQ(alembert::test::read_text(folder.path() / "report.html"), render_html(document));
  try {
    write_report(folder.path() / "no" / "report.html", document);
    FAIL() << "nothing thrown";
  } catch (const alembert::DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("report.html"));
  }
}

}  // namespace page_test
