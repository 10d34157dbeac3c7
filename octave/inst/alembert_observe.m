function estimates = alembert_observe (study, t, readings, varargin)
% estimates = alembert_observe (study, t, readings)
% estimates = alembert_observe (study, t, readings, 'key.of.the.study', value, ...)
%
% The motion of a mechanism from readings, in the order in which they came (alembert observe
% --stream): study is a TOML file with a mechanism, sensors and [observe], t the times in s,
% readings a structure with a vector for each column that the sensors name; NaN: no reading.
%
% estimates is a structure with a vector for each column of the tool's output, one row for each
% time.

  if (nargin < 3 || ~ isstruct (readings))
    error ('alembert:usage', 'alembert_observe: readings must be a structure of vectors');
  end
  names = fieldnames (readings);
  table = double (t(:));
  for k = 1:numel (names)
    column = double (readings.(names{k})(:));
    if (numel (column) ~= numel (t))
      error ('alembert:usage', 'alembert_observe: readings.%s must have as many values as t, got %d and %d', ...
             names{k}, numel (column), numel (t));
    end
    table = [table, column];
  end
  options = {'observe', '--stream', '--quiet', study};
  for k = 1:2:numel (varargin)
    options = [options, {'--set', [varargin{k} '=' toml_value(varargin{k + 1})]}];
  end
  folder = temporary_folder ();
  input = fullfile (folder, 'readings.csv');
  output = fullfile (folder, 'estimates.csv');
  write_table (input, [{'t'}; names], table);
  [code, said] = call_tool (options, input, output);
  if (code > 1)
    remove_folder (folder);
    error ('alembert:study', '%s', said);
  end
  estimates = read_table (output);
  remove_folder (folder);
end
