import { inflateSync } from "node:zlib";

/** Small files that h5py 3.14 (HDF5 1.14) wrote, compressed by zlib, in base64. */
const packed = {
  /** Default settings of h5py: superblock 0, symbol tables. */
  classic: [
    "eNrtWjtvE0EQ3t3zyavICEdCiqHhkEExJCIxjxojYnCBSAQUlLkkJzlATJRYyNCQ0nQpKVNSpkyZ0mVKSn5C/kG4u5317Y7PsUVi",
    "CHg+6zTeufE95ubbnfPM19rC00sT1yZYBClZhuWZiRNA56E91vuXQXKQbZDfhdZn4n0F0Ofh+J6jxt9A//pltRpZnyB0L8SzBGHM",
    "UKs+XorkGxiXQHaEbffe/xRsbTP2YbO5vrH+OdgCfTNoNc04nR/yvJMQrziuc6wC8S3ZlXBb8VffBY01dpXz+Bf57rmkxQ8nUcW6",
    "HFwJZyL8LllD80Rqs0rv7+Oxq3Rcj5VHuFAKgezx2AkZGVlOetdDhipmTUk29QX2u+HZo/1CqANKYLDDNZULyFOtvxofPP4kV6Wf",
    "23EG/Jkdbp75WWTGUyOM+zyjV8P5rG23FjS2A4OXtTPHr5O6Ti7P4HU2Pc5Lt+A6pk+3O5pV4+O7Sj57svicGzeK55m3fsuaP1x0",
    "/3h+WVlVMoPyAh/d7+5lijUCgUAgEAgEAoFAIBD+LHYesfiPxkq47YTbXsXUu+a7vEze74UxdsiJBAKBQCD8M3j1YnEhqj3oelcn",
    "Y6z1rLd+pushP7K2Ha4reKA/eDAefhxUVzyEugzVFccT/eqK7aJt99GPuhfOr66o+M27cddGvK3dULJepGd0Fn7L2/ZzJYw3v3Xd",
    "vT5t2+m+ozKzeVg5J37vI37jvgDCaX4UXT8eDPhDQ/N86Q75zkRvX5piAudKkfSfafm7fWgFoFgOXUH7QvlD993gdTbpH3Tj/sGG",
    "vxG10wzsH3SNJFKk+hv3G+bj77ifsL9fbxbSM9W9/2KdLt2jPJzW6d48PD832jy8Xz/eLpx3vzxc/G7ep/il+O2N36Nyep45qvfI",
    "+px9fBzHhOH8eDhDPhlFnqn7kQXKM/vlV0k+xFA+NAtTtneh88xfDnzUvQ==",
  ],
  /** libver="latest": superblock 3, version 2 headers. */
  modern: [
    "eNrr9HBx4+WS4mLm4GCAgf9QwKMI4RtAxSXsU1r9PVyCmBR6bvFmI+NpAgIMDA1MEGXGUOVcTAyMDAyiQgwsCCPhRlsyMDAzcDCI",
    "gCSTEpOzU/NSGCQZGRmA5oAxI9gIDgaQmcwQJhiAxHmUQWJMDDwgzXkMAhwwWQeEcjCYtOLAT7CDGRkYGVUYGJiYGBmhjoSrQucz",
    "izAwCirIg4wGAgUGcQ4G8XogixXoG2YuDiEGBhZGBglogMAsWsAw6MH/lJP22COvgkkIOdZhABJ9bAKgMGdNSc0rTt0MCysX6jhp",
    "mUD+CX9nD2/s9oOS1DE2iEpTmJbwjBX65PiCH+QLlrLEomI3aERjT5cgS59Cop7BCWapNF5frLZPPUWOk3hATmI0eAg1Bso3vAlL",
    "iBbkB2xsywV1eLoXAaZxRkZGZjLSuQQ0gfPADN7AMOSAxPWZraBExmMG8jsrpMTJS8xNxVncsCIVNyB+zXZ+ZXhoskDEmHkYGJHL",
    "HeRQU4GGGrxAPcEwbIDyJ84JlOW/39AszeBKJScda5g9HRTBoKzbx45aY7GJgOzlzC8oyczNrEotMoZZLntZUIKCTKvOCjXHg3pB",
    "e+LW7Jcgf7AJguxgy0msTC0qfssI9QgkAEtSK0qAeRXihX1XnlNuq7uzvw/YDgFE/YpcTGQlVqBUkzCPgysELNVoUjKEhpahcPMS",
    "0eydwM8wCkbBKBgFo2AUjIJRMApGwSgYBaNgFIwCuoIGewbQKBaDAxA3APECB2RxVuS+PAeif8+ExGceDcRRMApGwSgYBaNgyAD0",
    "aULYOD58WlyEgRHbRBl4wosJMuGlA53wUoAZOgSnCRM/bekBAGmSHlk=",
  ],
  /** Chunked datasets indexed by version 1 B-trees. */
  "chunks-classic": [
    "eNrtWU1oE0EUfrubpGlqm03TmFirjakU8VCKiniSqk2JFw1GxVPI324qxh/aijkUFESoh2KhVg/Sg570VkE9eNqDBy968OQx2kqV",
    "XjypF4lvszPp7thpDYIGOh8Mj/fmm3mbYWb3m5fbieGRdl+3D0x4veACFeyoEnh3O33anyFWInaK2McyjUu1vgiJB8j8LO/0qXjc",
    "ZFcZ0DyDLst6QWAzIhE/kjTtOeJHiX0tO3lXsvkLWgGgOHb52jj6+vlSyfTp/jzUYF4JPNZYifp7LCtbgRbCcxPL+grud5Op4sZ1",
    "2Z7cjTvZjMuKNVEbJGu+pFjj5Fq/BOOjV3W9pJGxZn4rXtD0UnZiNa6Qc4XcifyoNrZ/Hz0v1slTZKXsplRzevo45Pf8KVInTg5L",
    "OAU9zz9i6/Pp22QhvD6Pnuuosjn2s/m+k6D1t/dd1wbjFvyWZXnMMYBXhBdk4i7Gf8/Mx1v+FQ6PzVtl8iqcvEHVuT88nLz9HB6b",
    "9yAh+Bkem3fE+Xmr83h8AQEBAQEBAYH/jXI6nyloix91AzXQM4jNT3/9jLGcvlz5oGFMeQEDA9OhZYxlK4VK3nCBfBZ67rxtwdBi",
    "WA3M3c0hzXcMJh9cWlkqp4NdncH797IYa4vD1JNH3xMY02cyMxoO9RyA43Nf+gbL6dnZouED91M4/PDmy8lyOpUsoO/xw1FjaC/2",
    "p3JGBygJ6Hv3rdhP70tuIqx8tQuOJdoUckkyBf8WbO020dVKbAesijmViM4Qtm3YumtFBIBObFuxmfeK7dh6bKKTXk52ELsTW+8a",
    "i2lexXatEY+JfSYgICAg0FyQ8KPaSD2S1pUarUfa6oZGhA511A1vNMV68OpokQ3GnVGdUoGCrStd5PDYOtEthsero81zeGze5xwe",
    "m/cNw+PV0T5xeGzenxwemzcUcPqijiYgICAgICDQ/Dr6b//Xj9SGBqK9dR0d9kL4ep2n1vU06R+ydJGls2nMprOpdGV0duafrMcv",
    "i9bEMw==",
  ],
  /** Chunked datasets indexed by a fixed array, an extensible array, a version 2 B-tree, and a single chunk. */
  "chunks-modern": [
    "eNrtWFtoE0EUvTO7eW3SuGmr8ZFqbEWKQilSfyxImzYholLRIn4V2yYpUrGiogEVP3yDpcXaKlTF9+NDQRA/xELED/HDB4I/Itha",
    "S33g46cWf9Q7mztpN0RFQWhxD9y9e8/MbubeO3NnM4ejtZE8baamOJ0g8Z3gmZG2y4k/07FztC5au5oHjzzPax0vSZ4//kEJjQMD",
    "sPsAlX1zY3NrPHaP3qXrAA8d6fsy4qhjYsPGjfFYh81Etmxp27F1Ua+dulIjPIl4jxpDYsDYPADOGXNk9cm2FQ8wHb1VDSsINhyl",
    "4nYHgHFFDJgZLSxzpxj9nOihykFhClcV7TGjlx2CCYMPJx3LI9XRWmBezUXcexrn0Mtv7kh1bQhYZuSU78L01WSVklVgXCtNbXUm",
    "q9nUcztZunE9YLJ6yJpiXEdO3nzwu7zJWfTrvDmnjeVFDaqqrh1U6IELMCnQkaisCou8gTOo6qqW3S4T1kNa5raQ9GPy9827u0vC",
    "1ctCADICFynmfaSfkf5A+qtqjvT/gtdDJwbCYjVkImXMOwpsEenFpFeSjrv+bbTyhq+E/7iWFQLzBedk1oTfCf49ol3DtbGQ2Cpz",
    "7ZK/Bycm7prI31exJzsWMlUq5M6DUR8wR5yqDtUHP/nOObeJohcrvSyjeH5S1Idz20euheqxPmhi+NNBuEBFFWMho9EV6PTV1USX",
    "23VRMWzGfrmT0x7qFZzStiluPI7w90X2GTfJhub1sfjgq0QKA3cTik+1f36DXFNiuH8gjpxyC8rK2qcOI9fYH+tvTqnA10Kg45ED",
    "qUG/7us+1oTdtBrY1bvp/etkQ0FhfsHxnkbk3GE4dPXcaBS5ROf6zjg+aq+AZd1vS8qTDV1dLSkNbDdg6dm9t3clG9asiqFtnwKh",
    "VNUCbF/TlPKCEoWSp19a5ssqKGa9+AIQJdIN6UwrtCpESfOg5I2bIbJSemFs79Gpck5FEd83M1F8YsahTBORQZmFEsjsaiCDBkWk",
    "Z6PMyZGpIMrcHHzxz5MrPjFs6IiCjjnQifSQNcM9TI7troNBuROC2z6OflqoP111KV55fbiV10MNWLBgwYIFC3+NUP2KCGi7Xblb",
    "97ty/xVpd5ltie4sXuoXpesGrVhbsGDBggULEwWZQxb8T8wZYx7ipZaHruZDFTey2DtzRO4MiEMWzpmHs6Jxbz8lvx9OT/Q43Jl/",
    "v+8HEvkxcQ==",
  ],
  /** Links and attributes in fractal heaps, one attribute too large for a block of it. */
  dense: [
    "eNrt23uMHVUdwPHfvbtblu5WtqXFhYVmVEIWIzLd3bZbivTQLssKfQxtxaWATEvXPtjSYd3apUA5UIItSnIT1NQXjoqhtmqG8If7",
    "B+IJRMHHH7cV0gYNGaPGYiK5GpOttKXeO/Od7d3HbW4UN2rml2w+c17zO7N3Zm72zM6+nq7uGdMvmV5TXy9JnCFGronLNvXvn/7u",
    "l1b1dK3OWl94Y8Y95T9D07OSEcnOKnV7aVrcfe15sXNmSa1I82Vx6VfUylJ5D+KOK9/XVmFK8WTOjIt4ovGUxrc1tovUSFZmlxq3",
    "yMWZjDQVd1H6yUTZ6ouNUmosbUYR1TeMmdKRmp/Mfe+m9KF4So3xlJrqk8wqmkomSdpyzt/S8w03H5+qKWWrm9Lcwbd3TtWUaqqb",
    "0qkH7vzhVE2ptropnV7x98NL1/Z0FfMURzUXaza2jrQlp17y6V/88z5n3MCpOo666o7j2MxXftq9Zs0NsourP1OXkZOljSeun3tf",
    "1HKQ+0OmNSvHoiN75+sPHZ6q45hW3XG0fODEC//SfWqqjuO86o5j+7qTp/+rj6O+uuOYbd78TvfqHic67mx0px73HVbHRZKceKP3",
    "p+zYPTVW+QuoLRsZ79oqOtKZ1L1cc+WPoyu2rtSvIbpiows3ypFkeeftI3u61xR7STK/jIz1bD5Hhoo5kpat3DkukbF2H/ne81He",
    "6DtqZpT3FJdUw+g3VMu3Htkzdv83Llu1PNpz09j8yQ1qV9/A9jFX8gWSRhpppJFGGmmkkUYaaaSRRhpp/I/F0rXLu6Xu6ZtOZmWw",
    "WLxQ/rhuRot8LtpsX/HsSvlBtLn1ia/dLiba3NH/+UH5arR5/+Fndsivi5uzZfWf274vf4o2f3nw8IsyJ+rgfuXUEWmNNh8/3f+6",
    "rIw2f5d986isjzZ3Hr/0r7I42vxy48H29POY6piqBb3zk4TnXtBrv27Xoama0vTqpnTVF5/LTtWUGqqbUs2Lrz+cnrr/0YhWlUsf",
    "TbSqnKyKfptHSa2sAScPLUaXS2vH7iU5xUZmxWYqZKstGxn3aS2tKnckdSceG3krXi9OMp97vbh1tOWx2rEnVOLwhv7Xont/vVwU",
    "neWlc1Xk93fPaZRflFU8d+HTl8lIWcXf6n52rdySOVtx9WuL75JlZT1uOzq8Ty4v6/HdHw3tl0NlFWvUX56R3WUVv63b/WxTciil",
    "isU7nzwk3yjb6Z79qwLxyire2PiPd1/Y95s/pKfqvxU1Mq34lT1bpH/9wKY+mWktGb0hdTRIx5niCZ/NZDK9nHa92cl2UljChoqp",
    "xyacjc14KVr4Qbwcr8BW/DB+BD+KNs7DNmzHDpyPC3AhduIivAYX47X4MbwOl6CK1SjXU0ZZShllGWWULsooN1BG6aaMciNllB7K",
    "KB+njHITZZSbKaMsp4yygjLKSsooqyijOLEKNRqUW2hHjQZlNe2o0WDxPhG3o0aDspZ21GhQPkE7ajQot9KOGg3KJ2lHjQall3bU",
    "aFBuox01GpR1tKNGg3I77ajRoNxBO2o0KHfSjhoNyqdoR40G5S7aUaNBcWMtVOiiRh8NhijrGY8KXdToo8EQZQPjUaGLGn00GKLc",
    "zXhU6KJGHw2GKBsZjwpd1OijwRClj/Go0EWNPhoMUT7NeFTookYfDYYomxiPCl3U6KPBEGUz41Ghixp9NBiibGE8KnRRo48GQ5St",
    "jEeFLmr00WCIcg/jUaGLGn00GKL0Mx4VuqjRR4MhyjbGo0IXNfpoMES5l/Go0EWNPhoMUbYzHhW6qNFHgyGKF9uEFtqo0EEXPdSY",
    "Qx8DNJjHEAso95EfLbRRoYMueqgxhz4GaDCPIRZQBsiPFtqo0EEXPdSYQx8DNJjHEAsonyE/WmijQgdd9FBjDn0M0GAeQyygDJIf",
    "LbRRoYMueqgxhz4GaDCPIRZQdpAfLbRRoYMueqgxhz4GaDCPIRZQPkt+tNBGhQ666KHGHPoYoME8hlhA2Ul+tNBGhQ666KHGHPoY",
    "oME8hlhAGSI/WmijQgdd9FBjDn0M0GAeQyyg3E9+tNBGhQ666KHGHPoYoME8hlhA2UV+tNBGhQ666KHGHPoYoME8hlhAeYD8aKGN",
    "Ch100UONOfQxQIN5DLGA8iD50UIbFTrooocac+hjgAbzGGIB5SHyo4U2KnTQRQ815tDHAA3mMcQCym7yo4U2KnTQRQ815tDHAA3m",
    "McQCysPkRwttVOigix5qzKGPARrMY4gFLP7hG/+5j03YjBa2oo2dqLAHHexFFzejh0OocS/mcD/6eAADHEaDr2Iej2GIx7GAJ1Ae",
    "4fixCZvRwla0sRMV9qCDvejiZvRwCDXuxRzuRx8PYIDDaPBVzOMxDPE4FvAEyqMcPzZhM1rYijZ2osIedLAXXdyMHg6hxr2Yw/3o",
    "4wEMcPhRFS19ZqL/q51kefaqVy5akS4N/l8v7/d0LR19JSn+W/TeLrcm+hftWpH1g4MDWzbsGOyz7AnPaM6unE7oPK/iCzqTdG6r",
    "+OrMJJ3bK77UMknnjoqvm0zSeX7Fdzom6byg4osTk3ReWPHthEk6d1Z8BWCSzosqP15MI41qr/+XppU9N5vrBxmp39a3bUPfgGW/",
    "PPp4Lamad2tmfFXbWxOq2h/Mjq/quKBmfNX8oxOqFnyzdnzVwk1146s6r542vmpR8gpIRs5Ppmo/NbFu3hUt6cc+Gv8ETS26IQ==",
  ],
} as const;

export type H5pyFile = keyof typeof packed;
export const h5pyFiles = Object.keys(packed) as readonly H5pyFile[];

/** The bytes of one of the files. */
export const h5pyFile = (name: H5pyFile): Uint8Array =>
  new Uint8Array(inflateSync(Buffer.from(packed[name].join(""), "base64")));
