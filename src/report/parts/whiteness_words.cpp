#include "report/parts/whiteness_words.hpp"

namespace alembert::report {

std::string whiteness_words(const std::vector<identify::ResidualVerdict>& outputs,
                            const std::string& if_coloured) {
  switch (identify::whiteness_of(outputs)) {
    case identify::Whiteness::Coloured:
      return "The residuals are not white: " + if_coloured + ".";
    case identify::Whiteness::Unknown:
      return "The residuals are too few to judge whether they are white.";
    case identify::Whiteness::White:
      break;
  }
  return "The residuals are white: the model explains all but the noise, and the standard "
         "deviations are valid.";
}

}  // namespace alembert::report
