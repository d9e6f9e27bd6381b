/** Says why on stderr, in colour, and is gone before anybody asked it anything. */
process.stderr.write('\u001b[31mFatal:\u001b[0m no licence found\n');
process.stderr.write('  looked in ~/.rogue/licence — nothing there\n');
process.exitCode = 3;
