/** The version of Python Keras whose API and files this package follows; written into saved models. */
export const kerasVersion = "3.16.0";
