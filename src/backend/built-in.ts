/** The built-in engine, which needs nothing installed: other engines leave to it what theirs cannot do. */
export { default as builtIn } from "./numpy/index.js";
