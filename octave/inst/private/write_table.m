function write_table (file, names, table)
% A CSV file with a line of names; an empty cell for NaN.

  stream = fopen (file, 'w');
  fprintf (stream, '%s\n', strjoin (names(:)', ','));
  for k = 1:size (table, 1)
    cells = arrayfun (@cell_text, table(k, :), 'UniformOutput', false);
    fprintf (stream, '%s\n', strjoin (cells, ','));
  end
  fclose (stream);
end

function text = cell_text (number)
  text = '';
  if (~ isnan (number))
    text = sprintf ('%.17g', number);
  end
end
