#pragma once

#include "alembert/document/document.hpp"
#include "alembert/document/result_table.hpp"
#include "alembert/document/words.hpp"

// A report speaks the words of documents.
namespace alembert::report {

using document::Animation;
using document::Block;
using document::Curve;
using document::Document;
using document::Listing;
using document::Marker;
using document::MatrixView;
using document::MovingLink;
using document::MovingShape;
using document::Paragraph;
using document::Plot;
using document::Section;
using document::ShapeView;
using document::Table;
using document::WindowChoice;

using document::count_of;
using document::density_unit;
using document::fixed;
using document::grouped;
using document::known_or_blank;
using document::pretty_unit;
using document::quotient_unit;
using document::rows_having;
using document::significant;
using document::with_deviation;
using document::with_rows;
using document::with_unit;

}  // namespace alembert::report
