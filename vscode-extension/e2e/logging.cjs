// Stands in for VS Code's native logger, through whose files output channels go.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

class Logger {
  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    this.file = file;
    for (const level of ["trace", "debug", "info", "warn", "error", "critical"]) {
      this[level] = (message) => {
        appendFileSync(this.file, this.isPlain ? message : `[${level}] ${message}\n`);
      };
    }
  }

  clearFormatters() {
    this.isPlain = true;
  }

  getLevel() {
    return 0;
  }

  setLevel() {}
  setPattern() {}
  flush() {}
  drop() {}
}

exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = (_name, file) => Promise.resolve(new Logger(file));
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
