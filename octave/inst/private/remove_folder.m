function remove_folder (folder)
% Removes a folder of temporary_folder with all that is in it, without asking.

  if (exist ('OCTAVE_VERSION', 'builtin'))
    confirm_recursive_rmdir (false, 'local');
  end
  rmdir (folder, 's');
end
