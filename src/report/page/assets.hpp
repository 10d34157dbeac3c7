#pragma once

#include <string_view>

/// Files embedded by embed.cmake: what a report's page needs besides its own content.
namespace alembert::report::asset {

std::string_view uplot_js();
std::string_view uplot_css();
std::string_view uplot_licence();
std::string_view style_css();
std::string_view number_js();
std::string_view data_js();
std::string_view export_js();
std::string_view svg_js();
std::string_view legend_js();
std::string_view readout_js();
std::string_view figure_js();
std::string_view chart_js();
std::string_view matrix_js();
std::string_view animation_js();
std::string_view shapes_js();
std::string_view windows_js();
std::string_view page_js();

}  // namespace alembert::report::asset
