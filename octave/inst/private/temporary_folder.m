function folder = temporary_folder ()
% A new folder of our own.

  folder = tempname ();
  [made, reason] = mkdir (folder);
  if (~ made)
    error ('alembert:folder', 'no temporary folder: %s', reason);
  end
end
