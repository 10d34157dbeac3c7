% What is wrong is an error with a message that names it.
1;  % a script
function check_error (call, identifier, words)
  message = '';
  try
    call ();
  catch problem
    message = problem.message;
    assert (problem.identifier, identifier);
  end
  if (isempty (strfind (message, words)))
    error ('expected a message with "%s", got "%s"', words, message);
  end
end

check_error (@() alembert_run ('not-there.toml'), 'alembert:study', 'not-there.toml');
check_error (@() alembert_run ('a.toml', 'alone'), 'alembert:usage', 'pairs');
check_error (@() alembert_identify (zeros (10, 1), zeros (9, 1), 0.1), 'alembert:usage', 'got 10 and 9');
check_error (@() alembert_identify (zeros (10, 1), zeros (10, 2), 0.1), 'alembert:usage', 'got 1 and 2');
check_error (@() alembert_identify ('text', 1, 0.1), 'alembert:usage', 'arrays');
check_error (@() alembert_identify (nan (200, 1), nan (200, 1), 0.1), 'alembert:study', 'u1');
check_error (@() alembert_identify (zeros (50, 1), zeros (50, 1), 0.1, 'identify.hld', 'cubic'), ...
             'alembert:study', 'hold');
check_error (@() alembert_observe ('a.toml', 1:3, struct ('a', 1:2)), 'alembert:usage', 'readings.a');
check_error (@() alembert_info ('not-there.csv'), 'alembert:data', 'not-there.csv');
[ok, said] = alembert_check ('not-there.toml');
assert (~ ok && ~ isempty (strfind (said, 'not-there.toml')));

% A name with blanks and quotes reaches the tool as one word.
check_error (@() alembert_run ('it''s; echo $HOME.toml'), 'alembert:study', 'it''s; echo $HOME.toml');

setenv ('ALEMBERT_TOOL', '/not/there');
check_error (@() alembert_version (), 'alembert:tool', '/not/there');
disp ('all done');
