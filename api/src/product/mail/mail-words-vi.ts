import { fact, type MailWords } from './mail-words.ts';

/** The words of all mails, in Vietnamese. */
export const VI: MailWords = {
  lang: 'vi',
  locale: 'vi',
  moment: (day, time, zone) => `${time}\u00a0${day} (${zone})`,
  zone: (country, offset) => `giờ ${country}`.replaceAll(' ', '\u00a0') + `, ${offset}`,
  rawLink: 'Bấm nút không được? Copy link này:',
  order: (ref) => `Đơn hàng ${ref}`,
  newPhone:
    'Đổi điện thoại? Mở trang gói từ app trên điện thoại mới rồi bấm “Mình có gói\u00a0rồi”. Tụi mình gửi link qua email cho bạn.',
  notYou: 'Không phải bạn làm? Báo ngay cho [đội hỗ trợ].',

  receipt: ({ plan, until, price }) => ({
    subject: `Gói ${plan} của bạn đã kích hoạt`,
    preheader: `Bạn đã trả ${price}. Gói dùng được đến ${until}.`,
    heading: `Gói ${plan} đã kích hoạt`,
    lead: 'Cảm ơn bạn, thanh toán xong rồi. Có gói này là khỏi qua hệ thống key, cứ mở app lên chơi thôi.',
    facts: [fact('Gói', plan), fact('Dùng đến', until), fact('Đã trả', price)],
    button: 'Xem gói của bạn',
    ends: 'Gói tự kết thúc: không tự gia hạn, không trừ thêm tiền.',
    refund: 'Muốn lấy lại tiền? Gửi số đơn hàng cho [đội hỗ trợ].',
  }),

  redeemed: ({ plan, until, reseller }) => ({
    subject: `Gói ${plan} của bạn đã kích hoạt`,
    preheader: `Nhập mã thành công. Gói dùng được đến ${until}.`,
    heading: `Gói ${plan} đã kích hoạt`,
    lead: 'Nhập mã thành công. Có gói này là khỏi qua hệ thống key, cứ mở app lên chơi thôi.',
    facts: [fact('Gói', plan), fact('Dùng đến', until), fact('Mã từ', reseller)],
    button: 'Mở trang gói',
    questions: `Mua mã mà có gì không ổn? Hỏi ${reseller}, chỗ đã bán mã cho bạn.`,
  }),

  resetLink: ({ until, nextAt }) => ({
    subject: 'Đặt lại thiết bị của bạn',
    preheader: 'Xác nhận, hoặc cứ bỏ qua email này: không có gì thay đổi.',
    heading: 'Đặt lại thiết bị?',
    lead: 'Có người vừa yêu cầu gỡ hết thiết bị khỏi gói của bạn. Nếu là bạn thì xác nhận ở đây.',
    facts: [
      fact('Link', `dùng một lần, đến ${until}`),
      ...(nextAt === null ? [] : [fact('Đặt lại lần sau', `từ ${nextAt}`)]),
    ],
    button: 'Đặt lại thiết bị',
    early: 'Bạn mới đặt lại cách đây không lâu, nên phải chờ mới đặt lại lần nữa được.',
    ignore: 'Không phải bạn? Cứ bỏ qua email này. Thiết bị của bạn vẫn giữ nguyên.',
  }),

  resetDone: ({ nextAt }) => ({
    subject: 'Đã đặt lại thiết bị của bạn',
    preheader: 'Gói vẫn chạy. Giờ gắn lại gói vào điện thoại bạn đang dùng.',
    heading: 'Đã đặt lại thiết bị',
    lead: 'Giờ gói của bạn không còn thiết bị nào, nhưng vẫn chạy tiếp. Muốn dùng lại trên điện thoại thì mở trang gói từ app trên đó rồi bấm “Mình có gói rồi”.',
    facts: [fact('Đặt lại lần sau', `từ ${nextAt}`)],
    button: 'Mở trang gói',
  }),

  claimLink: ({ device, until }) => ({
    subject: 'Thêm thiết bị vào gói của bạn',
    preheader: 'Xác nhận, hoặc cứ bỏ qua email này: không có gì thay đổi.',
    heading: 'Thêm thiết bị này?',
    lead: 'Có người muốn dùng gói của bạn trên một thiết bị khác. Nếu là bạn thì xác nhận ở đây.',
    facts: [fact('Thiết bị', device), fact('Link', `dùng một lần, đến ${until}`)],
    button: 'Thêm thiết bị',
    ignore: 'Không phải bạn? Cứ bỏ qua email này. Không thiết bị nào được thêm vào.',
  }),

  deviceAdded: ({ device, until }) => ({
    subject: 'Gói của bạn vừa có thêm thiết bị',
    preheader: `Thiết bị ${device} giờ nằm trong gói của bạn.`,
    heading: 'Đã thêm thiết bị',
    lead: 'Từ giờ thiết bị này lấy key từ gói của bạn, khỏi làm bước nào.',
    facts: [fact('Thiết bị', device), fact('Gói dùng đến', until)],
  }),

  reminder: ({ plan, until, day }) => ({
    subject: `Gói ${plan} của bạn hết hạn vào ${day}`,
    preheader: `Dùng được đến ${until}. Gói không tự gia hạn, bạn không bị trừ tiền.`,
    heading: `Gói ${plan} hết hạn vào ${day.replaceAll(' ', '\u00a0')}`,
    lead: 'Gói không tự gia hạn, bạn cũng không bị trừ tiền. Vẫn muốn khỏi qua hệ thống key? Gia hạn từ app: số ngày được cộng dồn.',
    facts: [fact('Gói', plan), fact('Hết hạn', until)],
    button: 'Xem gói và giá',
    why: 'Bạn đã nhờ nhắc sau khi thanh toán. [Tắt email nhắc]',
  }),
};
