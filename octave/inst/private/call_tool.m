function [code, said] = call_tool (options, input, output)
% Runs the tool with a list of options; returns its exit code and what it said, without the last
% line end. Files may stand for its input and output.

  tool = getenv ('ALEMBERT_TOOL');
  if (isempty (tool))
    tool = 'alembert';
  end
  command = quoted (tool);
  for k = 1:numel (options)
    command = [command ' ' quoted(char (options{k}))];
  end
  errors = [tempname() '.txt'];
  if (nargin > 1)
    command = [command ' < ' quoted(input) ' > ' quoted(output)];
  end
  % What MATLAB and Octave put before the system's libraries is not for the tool.
  loaded = getenv ('LD_LIBRARY_PATH');
  setenv ('LD_LIBRARY_PATH', '');
  [code, said] = system ([command ' 2> ' quoted(errors)]);
  setenv ('LD_LIBRARY_PATH', loaded);
  complaint = '';
  if (exist (errors, 'file'))
    complaint = fileread (errors);
    delete (errors);
  end
  if (code == 127 || code == 126)
    error ('alembert:tool', ...
           'the program %s cannot be run; put alembert on the path or name it in ALEMBERT_TOOL: %s', ...
           tool, strtrim (complaint));
  end
  said = strtrim ([said complaint]);
end

function text = quoted (text)
% One word for the shell.
  if (ispc ())
    text = ['"' text '"'];
  else
    text = ['''' strrep(text, '''', '''\''''') ''''];
  end
end
