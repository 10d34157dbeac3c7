function result = alembert_run (study, varargin)
% result = alembert_run (study)
% result = alembert_run (study, 'key.of.the.study', value, ...)
%
% Runs a study, a TOML file, with the tool alembert and returns its result as a structure with the
% names of docs/result.md: result.status, result.verdict.level, result.model.mass.values, ... The
% signals of each CSV file are beside its name: result.experiments(1).prediction.columns.
%
% Pairs of a name and a value change keys of the study: alembert_run ('beam.toml',
% 'simulate.duration', 5). The names 'out' (folder for all files and the report; else they are
% removed), 'threads' and 'seed' are options of the tool.
%
% A study that cannot be run is an error with the tool's message. A result that is not to be
% trusted is returned with a warning; result.verdict says why.

  if (mod (numel (varargin), 2) ~= 0)
    error ('alembert:usage', 'alembert_run: after the study come pairs of a name and a value');
  end
  out = '';
  options = {};
  for k = 1:2:numel (varargin)
    name = varargin{k};
    value = varargin{k + 1};
    if (strcmp (name, 'out'))
      out = value;
    elseif (any (strcmp (name, {'threads', 'seed'})))
      options = [options, {['--' name], toml_value(value)}];
    else
      options = [options, {'--set', [name '=' toml_value(value)]}];
    end
  end
  keep = ~ isempty (out);
  if (~ keep)
    folder = temporary_folder ();
    out = fullfile (folder, 'result');
  end
  [code, said] = call_tool ([{'run', study, '--quiet', '--results', 'mat', '--out', out}, options]);
  if (code > 1)
    if (~ keep)
      remove_folder (folder);
    end
    error ('alembert:study', '%s', said);
  end
  if (~ exist (fullfile (out, 'result.mat'), 'file'))
    error ('alembert:study', '%s', said);
  end
  result = load (fullfile (out, 'result.mat'));
  if (~ keep)
    remove_folder (folder);
  end
  if (code == 1)
    warning ('alembert:verdict', '%s', said);
  end
end
