export declare const source: string;
export declare function hashOfSources(): string;
