function text = toml_value (value)
% A number, truth value, text, list of texts, vector or matrix as a value of a study.

  if (ischar (value))
    text = ['"' strrep(strrep (value, '\', '\\'), '"', '\"') '"'];
  elseif (iscell (value))
    parts = cellfun (@toml_value, value(:)', 'UniformOutput', false);
    text = ['[' strjoin(parts, ', ') ']'];
  elseif (islogical (value) && isscalar (value))
    words = {'false', 'true'};
    text = words{value + 1};
  elseif (isnumeric (value) && isscalar (value))
    text = number_text (double (value));
  elseif (isnumeric (value) && isvector (value))
    text = ['[' strjoin(arrayfun (@(x) number_text (double (x)), value(:)', 'UniformOutput', false), ', ') ']'];
  elseif (isnumeric (value) && ndims (value) == 2)
    rows = cell (1, size (value, 1));
    for k = 1:size (value, 1)
      rows{k} = ['[' strjoin(arrayfun (@(x) number_text (double (x)), value(k, :), 'UniformOutput', false), ', ') ']'];
    end
    text = ['[' strjoin(rows, ', ') ']'];
  else
    error ('alembert:usage', 'a value of a study must be a number, a text, a truth value, a matrix or a list of texts');
  end
end

function text = number_text (number)
% 17 digits give the same number back.
  if (number == fix (number) && abs (number) < 1e15)
    text = sprintf ('%d', number);
  elseif (isfinite (number))
    text = sprintf ('%.17e', number);
  else
    error ('alembert:usage', 'a number of a study must be finite');
  end
end
