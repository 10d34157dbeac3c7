function found = alembert_identify (u, y, step, varargin)
% found = alembert_identify (u, y, step)
% found = alembert_identify (u, y, step, 'key.of.the.study', value, ...)
%
% Mass, damping and stiffness of M x'' + D x' + K x = u from arrays: u and y are samples x channels,
% forces and displacements at the same coordinates in the same order, step is in s.
%
% found.M, found.D, found.K are the matrices, found.M_deviation, ... the standard deviations of
% their entries, found.frequency_hz and found.damping_ratio the modes, found.result all that
% docs/result.md lists. Further pairs set keys of the study: 'identify.hold', 'cubic';
% 'data.validation.fraction', 0.25; and 'out', 'threads' as in alembert_run.

  if (nargin < 3 || ~ isnumeric (u) || ~ isnumeric (y) || ~ isscalar (step))
    error ('alembert:usage', 'alembert_identify: u and y must be arrays of samples x channels, step a number');
  end
  if (size (u, 1) ~= size (y, 1))
    error ('alembert:usage', ...
           'alembert_identify: u and y must have the same number of rows, got %d and %d', ...
           size (u, 1), size (y, 1));
  end
  if (size (u, 2) ~= size (y, 2))
    error ('alembert:usage', ...
           'alembert_identify: u and y must have as many columns as there are coordinates, got %d and %d', ...
           size (u, 2), size (y, 2));
  end
  n = size (y, 2);
  folder = temporary_folder ();
  record = struct ();
  inputs = cell (1, n);
  outputs = cell (1, n);
  for k = 1:n
    inputs{k} = sprintf ('u%d', k);
    outputs{k} = sprintf ('y%d', k);
    record.(inputs{k}) = double (u(:, k));
    record.(outputs{k}) = double (y(:, k));
  end
  record.dt = step;
  save (fullfile (folder, 'record.mat'), '-struct', 'record', '-v6');
  study = fullfile (folder, 'study.toml');
  file = fopen (study, 'w');
  fprintf (file, '[data]\nfile = "record.mat"\ninputs = %s\noutputs = %s\n', ...
           toml_value (inputs), toml_value (outputs));
  fprintf (file, '[model]\ndegrees-of-freedom = %d\n[identify]\n', n);
  fclose (file);
  try
    result = alembert_run (study, varargin{:});
  catch problem
    remove_folder (folder);
    rethrow (problem);
  end
  remove_folder (folder);

  found.M = result.model.mass.values;
  found.D = result.model.damping.values;
  found.K = result.model.stiffness.values;
  found.M_deviation = result.model.mass.deviations;
  found.D_deviation = result.model.damping.deviations;
  found.K_deviation = result.model.stiffness.deviations;
  found.frequency_hz = [result.model.modes.frequency_hz]';
  found.damping_ratio = [result.model.modes.damping_ratio]';
  found.verdict = result.verdict;
  found.result = result;
end
