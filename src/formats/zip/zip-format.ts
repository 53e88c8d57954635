/** Constants of the zip format (PKWARE APPNOTE 6.3.10) shared by writer and reader. */
export const signature = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  end64Locator: 0x07064b50,
} as const;

/** Fixed parts of the records, in bytes. */
export const recordSize = { local: 30, central: 46, end: 22, end64: 56, end64Locator: 20 } as const;

/** Extra fields: real sizes of zip64, and filler that places a member's bytes. */
export const extraField = { zip64: 0x0001, alignment: 0xd935 } as const;

/** Values that send the reader to the zip64 records. */
export const full16 = 0xffff;
export const full32 = 0xffffffff;
