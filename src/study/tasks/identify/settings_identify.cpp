#include "study/tasks/identify/settings_identify.hpp"

#include "study/result/settings.hpp"
#include "study/tasks/identify/identify_keys.hpp"

namespace alembert::study {

void describe_identify_settings(const identify::LinearOptions& options,
                                document::ResultTree& table) {
  table.add("refine", refine_text(options));
  describe_settings(identify_keys(), options, table);
}

}  // namespace alembert::study
