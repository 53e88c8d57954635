/** Name of the device on which new values are made. */
export const currentDevice = (): string => "cpu";
