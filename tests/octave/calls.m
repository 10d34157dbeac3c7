% Studies, arrays, files and streams through the package. `project` is the folder of the project.
assert (~ isempty (regexp (alembert_version (), '^\d+\.\d+\.\d+$', 'once')));

% A study with two masses is simulated; its record gives the arrays.
study = 'two.toml';
file = fopen (study, 'w');
fprintf (file, '%s\n', 'title = "Two masses"', '[model]', 'mass = [[2.0, 0.0], [0.0, 1.0]]', ...
         'stiffness = [[300.0, -100.0], [-100.0, 100.0]]', ...
         'damping = { mass = 0.1, stiffness = 0.001 }', '[simulate]', 'step = 0.01', ...
         'samples = 400', '[simulate.inputs]', 'u1 = { kind = "spline-noise", knots = 0.1 }', ...
         'u2 = { kind = "spline-noise", knots = 0.1 }', '[simulate.sensors]', 'all = { snr = 40.0 }');
fclose (file);
[ok, said] = alembert_check (study);
assert (ok);
simulated = alembert_run (study, 'simulate.samples', 2000, 'seed', 3);
assert (strcmp (simulated.status, 'success'));
record = simulated.experiments(1).record;
assert (record.samples, 2000);
assert (size (record.columns.t), [2000 1]);
assert (record.units.t, 's');
names = fieldnames (record.columns);
u = [record.columns.u1, record.columns.u2];
y = [record.columns.(names{4}), record.columns.(names{5})];

% The truth lies within 5 reported deviations, entry by entry (a chance of 6e-7 each otherwise).
found = alembert_identify (u, y, 0.01, 'identify.hold', 'cubic', 'out', 'kept');
M = [2 0; 0 1];
K = [300 -100; -100 100];
D = 0.1 * M + 0.001 * K;
assert (all (abs (found.M - M)(:) <= 5 * found.M_deviation(:)));
assert (all (abs (found.D - D)(:) <= 5 * found.D_deviation(:)));
assert (all (abs (found.K - K)(:) <= 5 * found.K_deviation(:)));
assert (size (found.frequency_hz), [2 1]);
% The undamped frequencies of M and K; damping moves |lambda| only in second order (below 1e-3).
assert (found.frequency_hz, sqrt (sort (eig (M \ K))) / (2 * pi), -5e-3);
assert (ischar (found.verdict.level));
assert (exist (fullfile ('kept', 'report.html'), 'file') == 2);

% The same numbers as in result.json, to the rounding of Octave's own reader of JSON.
text = fileread (fullfile ('kept', 'result.json'));
json = jsondecode (text);
assert (json.model.mass.values, found.M, -2 * eps);
assert (json.model.stiffness.deviations, found.K_deviation, -2 * eps);

% Text, structure arrays and empty lists have their documented forms.
assert (iscell (found.result.model.coordinates) || ischar (found.result.model.coordinates));
assert (isstruct (found.result.model.modes) && numel (found.result.model.modes) == 2);
assert (islogical (found.result.model.passive));
assert (isempty (found.result.overrides) || iscell (found.result.overrides));

% Rows through the live observer are those of the tool's own stream.
folder = fullfile (project, 'studies', 'slider-crank');
made = alembert_run (fullfile (folder, 'simulate.toml'), 'simulate.duration', 0.5);
columns = made.experiments(1).record.columns;
t = columns.t;
readings = rmfield (columns, 't');
estimates = alembert_observe (fullfile (folder, 'observe.toml'), t, readings);
assert (numel (estimates.t), numel (t));
assert (estimates.t, t, 1e-12);  % rounding of the decimal digits

info = alembert_info (fullfile ('kept', 'prediction.csv'));
assert (~ isempty (strfind (info, 'y1_predicted')));
template = alembert_new ('identify');
assert (~ isempty (strfind (template, '[identify]')));
disp ('all done');
