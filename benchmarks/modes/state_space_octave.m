% state_space_octave FILE: moen4 of octave-control on the first 5000 samples of the steel frame, one order, timed.
pkg load control
arguments = argv();
data = load(arguments{1}).flexible_structure_dat;
data = data(1:5000, :) - mean(data);
record = iddata(data(:, 3:30), data(:, 1:2), 1 / 1024);
order = str2double(arguments{2});
began = cputime();
model = moen4(record, order);
printf("%g\n", cputime() - began);
