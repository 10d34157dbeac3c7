function columns = read_table (file)
% The columns of a CSV file of the tool by their names, without units; NaN for empty cells.

  lines = strsplit (fileread (file), sprintf ('\n'));
  lines = lines(~ cellfun (@isempty, lines));
  lines = lines(cellfun (@(line) line(1) ~= '#', lines));
  titles = strsplit (lines{1}, ',', 'CollapseDelimiters', false);
  values = nan (numel (lines) - 1, numel (titles));
  for k = 2:numel (lines)
    values(k - 1, :) = str2double (strsplit (lines{k}, ',', 'CollapseDelimiters', false));
  end
  columns = struct ();
  for c = 1:numel (titles)
    name = regexprep (titles{c}, ' \[.*\]$', '');
    name = regexprep (name, '[^A-Za-z0-9_]', '_');
    if (isempty (regexp (name, '^[A-Za-z]', 'once')))
      name = ['x_' name];
    end
    columns.(name) = values(:, c);
  end
end
