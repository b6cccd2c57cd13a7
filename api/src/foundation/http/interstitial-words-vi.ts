import type { InterstitialWords } from './interstitial-words.ts';

const retry = 'Chờ chút rồi thử lại.';
const otherwise = 'Quay lại rồi thử cách khác.';

const timeLeft = (minutes: number) =>
  minutes < 120 ? `${String(minutes)} phút` : `${String(Math.ceil(minutes / 60))} giờ`;

/** The words of all interstitials, in Vietnamese. */
export const VI: InterstitialWords = {
  locale: 'vi',

  askForKey: {
    title: 'Đi tiếp lấy key?',
    text: 'Một trang khác vừa đưa bạn tới đây. Nếu bạn đang cần key thì cứ đi tiếp.',
    label: 'Tiếp tục',
  },
  askToPay: {
    title: 'Đi tiếp tới thanh toán?',
    text: 'Một trang khác vừa đưa bạn tới đây. Nếu bạn muốn gói này thì cứ đi tiếp. Bạn chưa trả đồng nào cả.',
    label: 'Tiếp tục',
  },
  askToPin: (pins) => ({
    title: 'Ghim phiên bản khác ở đây?',
    text: `Một trang khác vừa đưa bạn tới đây. Link này cho trình duyệt này dùng ${pins} trong vài giờ, để thử.`,
    label: 'Ghim',
  }),

  askToPreview: (what) => ({
    title: 'Xem bản xem thử ở đây?',
    text: `Một trang khác vừa đưa bạn tới đây. Trình duyệt này sẽ hiện ${what}, bản này chưa phát hành.`,
    label: 'Xem thử',
  }),

  leadsOn: {
    title: 'Đang đưa bạn đi tiếp',
    text: 'Trang này tự đi tiếp. Không thấy gì thì bấm nút nhé.',
    label: 'Đi tiếp',
  },
  yourKey: (minutesLeft) => ({
    title: 'Key của bạn đây',
    text: `Key còn dùng được ${timeLeft(minutesLeft)}. Cứ mở app, nó tự nhận key.`,
    label: 'Mở game',
  }),
  goOnIn: (minutesLeft) => `${timeLeft(minutesLeft)} nữa là đi tiếp được.`,
  askToKeepZone: {
    title: 'Lượt này bạn bắt đầu từ một link khác của app',
    text: 'Làm tiếp thì key vào link cũ.',
    label: 'Làm tiếp',
  },

  noQaAccess:
    'Link này mở một phiên bản khác của trang. Trình duyệt này không có quyền QA nên bạn đang thấy bản thường. Muốn xem bản kia, nhập mã truy cập của nhóm bạn ở /qa rồi mở lại link, hoặc xin một link chia sẻ.',
  shareEnded:
    'Link này đã hết hạn hoặc đã bị sửa nên bạn đang thấy bản thường của trang. Muốn xem bản kia, hãy xin link mới.',

  previewEnded: {
    title: 'Bản xem thử này đã hết hạn',
    text: 'Link này không dùng được nữa. Bấm một cái là về bản mà ai cũng đang dùng.',
    label: 'Mở trang web',
  },

  runsAreFull: (waitS) => ({
    title: 'Đang đông người bắt đầu quá',
    text: `Lượt lấy key nào bắt đầu rồi thì được đi trước. Trang này tự thử lại sau ${String(waitS)} giây, bạn cứ để mở nhé.`,
  }),
  sandbox: {
    title: 'Chỗ này lẽ ra là quảng cáo',
    text: 'Bạn đang ở chế độ chạy thử, nên trang này đứng thay nhà quảng cáo. Không có gì phải xem, cũng chẳng có gì phải tắt.',
    goOn: 'Đi tiếp',
  },
  tooEarly: (waitS) => ({
    title: 'Sắp được rồi',
    text: `Bạn quay lại hơi sớm. Trang này tự đi tiếp sau ${String(waitS)} giây, bạn cứ để mở nhé.`,
  }),
  openedTooOften: {
    title: 'Chờ chút nhé',
    text: 'Link này bị mở quá nhiều lần trong một phút. Trang này tự đi tiếp, bạn không mất gì cả.',
  },
  paymentsAreFull: (waitS) => ({
    title: 'Chờ chút nhé',
    text: `Đang có nhiều người thanh toán. Trang này tự đi tiếp sau ${String(waitS)} giây. Bạn chưa bị trừ tiền.`,
  }),
  tooManyPayments: (waitMinutes) => ({
    title: 'Từ từ thôi nhé',
    text: `Có quá nhiều thanh toán được bắt đầu từ đây. Thử lại sau ${String(waitMinutes)} phút.`,
  }),

  askToUnsubscribe: {
    title: 'Tắt email nhắc?',
    text: 'Tụi mình sẽ không gửi email trước khi gói của bạn hết hạn. Bạn vẫn nhận biên nhận và những link bạn yêu cầu.',
    label: 'Tắt email nhắc',
  },
  unsubscribed: {
    title: 'Đã tắt email nhắc',
    text: 'Tụi mình sẽ không gửi email trước khi gói của bạn hết hạn. Đổi ý? Bấm “Xem gói của bạn” trong email biên nhận để bật lại.',
  },

  forms: {
    code: 'Mã',
    email: 'Địa chỉ email',
    device: 'ID thiết bị',
    link: 'Link trong email của tụi mình',
    refusal: 'Chưa được rồi',
    refused: {
      'request.invalid': 'Xem lại từng ô rồi gửi lần nữa nhé.',
      KS_HWID: 'Nhập đủ ID thiết bị. Bấm “Get Key” trong app: trang mở ra có ghi ID.',
      KS_LIMIT: 'Bạn thử nhiều lần quá. Chờ một phút rồi gửi lại nhé.',
      RDM_CODE: 'Không có mã này. Dò lại từng chữ nhé.',
      RDM_USED: 'Mã này dùng rồi. Mỗi mã chỉ dùng một lần. Không phải bạn? Hỏi đại lý của bạn.',
      RDM_REVOKED: 'Mã này bị thu hồi rồi. Hỏi đại lý đã bán mã.',
      RST_TOKEN: 'Link này không dùng được nữa, hoặc bị thiếu một đoạn. Dán cả link trong email mới nhất nhé.',
      RST_LIMIT: 'Bạn vừa đặt lại thiết bị không lâu nên phải chờ. Link của bạn vẫn dùng được.',
      CLM_FULL: 'Gói của bạn hết chỗ rồi. Đặt lại thiết bị trước đã: vậy là trống hết chỗ.',
    },
    paste: {
      title: 'Dán link của bạn',
      text: 'Không có JavaScript thì đoạn cuối của link không tới được tụi mình. Sao chép cả link trong email nhé.',
    },
    readLink: 'Mở link của mình',
    redeem: 'Nhập mã',
    redeemed: (plan, device, day) => ({
      title: `${plan} đã bật`,
      text: `Gói chạy trên thiết bị ${device} tới ${day}. Có gói rồi thì khỏi lấy key, bạn cứ mở app lên mà chơi.`,
    }),
    downloads: 'Tải app',
    reset: {
      send: 'Đặt lại thiết bị',
      invalid: 'Nhập email hợp lệ nhé.',
      none: 'Lỗi: không đặt lại thiết bị được. Không có gói hay giấy phép nào còn hạn.',
      failed: 'Lỗi: không đặt lại thiết bị được. Lát nữa thử lại.',
      sent: {
        title: 'Xem hộp thư nhé',
        text: 'Thành công: đã yêu cầu đặt lại thiết bị. Xem hộp thư của bạn nhé. Chưa thấy email thì tìm trong mục spam.',
      },
      ask: (devices, plan, day) => ({
        title: `Gỡ ${String(devices)} thiết bị?`,
        text: `Bạn vẫn giữ ${plan}, tới ${day}. Những thiết bị này sẽ không nhận key nữa. Sau đó bấm “Get Plan” trong app trên điện thoại mới rồi chọn “Mình có gói rồi”.`,
      }),
      empty: {
        title: 'Gói của bạn chưa nằm trên thiết bị nào',
        text: 'Không có gì để đặt lại. Bấm “Get Plan” trong app trên điện thoại rồi chọn “Mình có gói rồi”.',
      },
      later: (day) => ({
        title: `Tới ${day} bạn mới đặt lại được`,
        text: 'Bạn vừa đặt lại xong. Tới lúc đó chưa có gì thay đổi.',
      }),
    },
    claim: {
      request: {
        title: 'Thêm thiết bị vào gói của bạn',
        text: 'Tụi mình gửi link tới địa chỉ email của gói. Link đó thêm thiết bị này.',
      },
      ask: 'Gửi link',
      asked: {
        title: 'Xem hộp thư nhé',
        text: 'Nếu địa chỉ này có gói thì email kèm link đang được gửi tới. Link dùng được 30 phút.',
      },
      confirm: (device, plan, day) => ({
        title: 'Thêm thiết bị này?',
        text: `Thiết bị ${device}, vào gói ${plan}, tới ${day}. Chỉ đi tiếp nếu đây là điện thoại của chính bạn.`,
      }),
      send: 'Thêm thiết bị này',
      full: {
        title: 'Hết chỗ rồi',
        text: 'Đặt lại thiết bị trước đã: vậy là trống hết chỗ, còn gói vẫn của bạn.',
      },
      done: (plan, day) => ({
        title: 'Thiết bị này có gói của bạn rồi',
        text: `${plan} chạy trên máy này tới ${day}. Mở app lên mà chơi thôi.`,
      }),
    },
  },

  askForVietnam: {
    title: 'Chỉ dành cho người sống ở Việt Nam',
    text: 'Bản Việt Nam chỉ dành cho người sống ở Việt Nam. Cài bản này có thể đổi vĩnh viễn khu vực tài khoản của bạn và khiến bạn bị hạn chế vào bản quốc tế.',
    label: 'Tải về',
  },
  resellers: {
    title: 'Đại lý chính thức đã duyệt',
    text: 'Những shop này được tụi mình cho phép bán V5.',
    none: 'Hiện chưa có shop nào bán V5.',
  },

  problem: {
    // English shows the technical title of all others; here also these need a heading of their own.
    texts: {
      'request.invalid': { title: 'Link này hỏng rồi', text: 'Quay lại trang trước rồi thử từ đó.' },
      'route.not_found': { title: 'Ở đây không có gì', text: 'Địa chỉ này sai, hoặc thứ ở đây không còn nữa.' },
      'server.unexpected': { title: 'Bên tụi mình bị lỗi', text: 'Không phải tại bạn. Thử lại sau một phút.' },
      'server.stopping': { title: 'Sắp quay lại rồi', text: 'Máy chủ đang khởi động lại. Thử lại sau vài giây.' },
      'server.incomplete': { title: 'Máy chủ đang thiếu một phần của trang', text: retry },
      'server.full': { title: 'Máy chủ hết chỗ lưu rồi', text: retry },
      'server.busy': { title: 'Sắp quay lại rồi', text: 'Giờ đang đông quá. Thử lại sau vài giây.' },
      KS_APP: { title: 'Tụi mình không biết app này', text: 'Mở lại từ trong app.' },
      KS_HWID: { title: 'Link này hỏng rồi', text: 'Mở lại từ trong app.' },
      KS_ZONE: { title: 'Link này hỏng rồi', text: 'Mở lại từ trong app.' },
      KS_CAPTCHA: { title: 'Captcha hết giờ rồi', text: 'Giải lại ở trang bước 1.' },
      KS_COOLDOWN: { title: 'Bạn đang bị tạm khoá', text: '3 gậy trong một ngày = tạm khoá 15 phút, 5 gậy = 24 giờ.' },
      KS_BLOCKED: { title: 'Team chặn thiết bị này', text: 'Hết bị chặn thì thiết bị mới có key.' },
      KS_LIMIT: { title: 'Thử nhiều lần quá', text: 'Chờ một phút rồi thử lại.' },
      KS_STEP: { title: 'Lượt lấy key của bạn đang ở bước khác', text: otherwise },
      KS_OTHER_ZONE: { title: 'Lượt lấy key này bắt đầu từ link khác của app', text: otherwise },
      KS_UNFINISHED: { title: 'Nhiệm vụ của bạn chưa xong', text: 'Quay lại làm cho xong, hoặc làm lại bước này.' },
      KS_FAST: { title: 'Bạn quay lại sớm quá', text: 'Làm lại bước này, và ở đó tới khi trang quảng cáo đưa bạn về.' },
      KS_PROOF: {
        title: 'Trang quảng cáo không xác nhận bước của bạn',
        text: 'Làm lại bước này, và làm xong mọi thứ nó yêu cầu.',
      },
      KS_TICKET: { title: 'Không có link quay lại này', text: otherwise },
      KS_EXPIRED: { title: 'Bạn đi lâu quá', text: 'Bấm nút để lấy link mới, rồi quay lại trong vòng 15 phút.' },
      KS_REUSE: { title: 'Cái đó bạn dùng rồi', text: 'Lượt lấy key đó kết thúc rồi. Lượt mới bắt đầu từ bước 1.' },
      KS_PROVIDER_DOWN: { title: 'Trang quảng cáo không trả lời', text: 'Chờ chút rồi thử lại, hoặc chọn trang khác.' },
      KS_BUSY: { title: 'Đang đông người bắt đầu quá', text: retry },
      PAY_MODE: { title: 'Không có gói này', text: 'Quay lại rồi chọn một gói trong danh sách.' },
      PAY_CROSS_SITE: { title: 'Chỉ chính bạn mới bắt đầu thanh toán được', text: otherwise },
      PAY_ORDER: { title: 'Không tìm thấy đơn hàng này', text: 'Kiểm tra link, hoặc mở lại từ email của bạn.' },
      RST_TOKEN: { title: 'Link này không dùng được nữa', text: 'Mở link trong email mới nhất nhé.' },
      RST_LIMIT: { title: 'Thiết bị vừa được đặt lại không lâu', text: retry },
      CLM_FULL: { title: 'Gói này hết chỗ cho thiết bị rồi', text: otherwise },
      RDM_CODE: { title: 'Không có mã này', text: otherwise },
      RDM_USED: { title: 'Mã này dùng rồi', text: otherwise },
      RDM_REVOKED: { title: 'Mã này bị thu hồi rồi', text: otherwise },
      DOWNLOAD_NONE: { title: 'Bản tải này chưa ra', text: 'Quay lại rồi chọn phiên bản khác.' },
    },
    retry,
    otherwise,
    details: (title, ref) => `Cần hỏi đội hỗ trợ? Gửi kèm dòng này: ${title} (${ref})`,
    back: 'Quay lại',
    home: 'Về trang chủ',
  },
};
