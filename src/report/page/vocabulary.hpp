#pragma once

#include "alembert/document/document.hpp"
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
using document::Table;

using document::count_of;
using document::density_unit;
using document::fixed;
using document::grouped;
using document::pretty_unit;
using document::quotient_unit;
using document::significant;
using document::with_unit;

}  // namespace alembert::report
