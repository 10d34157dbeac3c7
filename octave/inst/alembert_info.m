function text = alembert_info (data, varargin)
% text = alembert_info (data)
% text = alembert_info (data, '--step', '0.01')
%
% What is in a data file: channels, units, rates, gaps, spectra at a glance. What follows are
% options of alembert info.

  [code, text] = call_tool ([{'info', data}, varargin]);
  if (code ~= 0)
    error ('alembert:data', '%s', text);
  end
end
