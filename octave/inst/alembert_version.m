function text = alembert_version ()
% text = alembert_version ()
%
% The version of the tool that the functions call: the program alembert on the path, or what the
% environment variable ALEMBERT_TOOL names.

  [code, text] = call_tool ({'--version'});
  if (code ~= 0)
    error ('alembert:tool', '%s', text);
  end
  text = strrep (strtok (text, char (10)), 'alembert ', '');
end
