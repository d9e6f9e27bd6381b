process.exitCode = 1;
export {};
