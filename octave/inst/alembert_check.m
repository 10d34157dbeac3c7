function [ok, messages] = alembert_check (study)
% [ok, messages] = alembert_check (study)
%
% Checks a study without running it. messages is what the tool says, "file:line:column: message".

  [code, messages] = call_tool ({'check', study});
  ok = code == 0;
end
