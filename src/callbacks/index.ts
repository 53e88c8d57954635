/** `keras.callbacks`: what follows training and steps in. */
export { BackupAndRestore, type BackupAndRestoreOptions } from "./backup-and-restore.js";
export { Callback, type CallbackParams, type HookResult } from "./callback.js";
export { CallbackList, type CallbackLike, type CallbackListOptions, type CallbacksOption } from "./callback-list.js";
export { CSVLogger, type CSVLoggerOptions } from "./csv-logger.js";
export { EarlyStopping, type EarlyStoppingOptions } from "./early-stopping.js";
export { History } from "./history.js";
export { type Hooks, LambdaCallback } from "./lambda-callback.js";
export { LearningRateScheduler } from "./learning-rate-scheduler.js";
export { ModelCheckpoint, type ModelCheckpointOptions } from "./model-checkpoint.js";
export { MonitorCallback, type MonitorMode } from "./monitor-callback.js";
export { ProgbarLogger } from "./progbar-logger.js";
export { ReduceLROnPlateau, type ReduceLROnPlateauOptions } from "./reduce-lr-on-plateau.js";
export { TerminateOnNaN } from "./terminate-on-nan.js";
