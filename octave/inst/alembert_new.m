function text = alembert_new (kind, data)
% text = alembert_new (kind)
% text = alembert_new (kind, data)
%
% A commented study to begin from: kind is 'identify', 'simulate', 'observe', ... (alembert new
% --help); data names a data file, whose channels and rate fill the study.

  options = {'new', kind};
  if (nargin > 1)
    options = [options, {data}];
  end
  [code, text] = call_tool (options);
  if (code ~= 0)
    error ('alembert:study', '%s', text);
  end
end
