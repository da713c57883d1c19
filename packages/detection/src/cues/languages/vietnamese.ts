import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

/** `gui` (send) only in requests, because alone it also occurs in statements: "chung toi da gui ma" (we sent the code). */
const GIVE = `vui long cung cap, vui long gui, vui long nhap, hay gui, hay cung cap, hay nhap, cung cap cho, gui cho toi, gui cho minh, gui cho em, gui cho anh, gui giup, gui lai, gui minh,
  doc cho, doc giup, cho minh xin, cho em xin, cho anh xin, cho toi xin, cho xin, nhap, cung cap, gui ngay`;

export const VIETNAMESE: LanguageCues = {
  tactics: {
    one_time_code: {
      verbs:
        parsePhrases(`vui long cung cap, vui long gui, hay gui, hay cung cap, cung cap cho, gui cho toi, gui cho minh, gui cho em, gui cho anh, gui giup, gui lai, gui minh, doc cho, doc giup,
        cho minh xin, cho em xin, cho anh xin, cho toi xin, cho xin`),
      nouns: parsePhrases('ma otp, ma xac minh, ma xac nhan, ma xac thuc, ma 6 so, ma bao mat, ma vua'),
    },
    remote_access: {
      verbs: parsePhrases('tai, cai dat, tai ve, cai'),
      nouns: parsePhrases('ung dung dieu khien, file apk, ultraview'),
    },
    irrevocable_payment: {
      verbs: parsePhrases('mua, mua giup, nap the, gui, chuyen'),
      nouns: parsePhrases('the cao, the qua tang, the dien thoai, ma the cao'),
    },
    credentials: {
      phrases:
        parsePhrases(`xac minh tai khoan, xac thuc tai khoan, cap nhat thong tin, xac minh thong tin, xac nhan thong tin, xac minh danh tinh, xac thuc thong tin, cap nhat sinh trac hoc, dien thong tin, xac minh mat khau,
        nhap mat khau, cap nhat dia chi, vui long xac thuc`),
      verbs: parsePhrases(`${GIVE}, dien, khai bao, chup`),
      nouns: parsePhrases(
        'mat khau, so tai khoan, thong tin the, thong tin ca nhan, so cccd, cccd, can cuoc, can cuoc cong dan, so can cuoc, ten dang nhap, ma pin, thong tin tai khoan, ngay sinh',
      ),
    },
    sign_in: { phrases: parsePhrases('vui long dang nhap, dang nhap ngay, dang nhap tai, hay dang nhap') },
    fee: {
      phrases: parsePhrases(
        'thanh toan ngay, vui long thanh toan, dong phi, nop phi, nop tien, vui long chuyen khoan, nop phat ngay, chuyen tien vao, chuyen khoan vao, chuyen giup, dat coc truoc, coc truoc',
      ),
      verbs: parsePhrases('nop, dong tien, thanh toan, chuyen, nap tien, chuyen khoan, tra, gui'),
      nouns: parsePhrases(
        'phi, thue, phi van chuyen, phi hai quan, phi bao hiem, tien phat, hoa don, tien coc, cuoc phi, le phi, hoc phi, vien phi, khoan no, tien dien, phi ship, tien',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        'nhan phim 1, nhan phim 9, bam phim 1, bam phim 9, goi ngay, lien he ngay, vui long goi, goi lai ngay, bam phim so',
      ),
      verbs: parsePhrases('goi, lien he, goi ngay'),
    },
    secrecy: {
      phrases: parsePhrases(
        'dung noi voi ai, khong duoc noi voi ai, khong noi cho ai, giu bi mat, khong duoc tiet lo, dung noi cho ai, khong tiet lo cho ai, khong duoc noi cho',
      ),
    },
    elsewhere: {
      phrases: parsePhrases(
        'ket ban zalo, ib zalo, nhan zalo, add zalo, lien he zalo, inbox zalo, qua zalo, vao nhom zalo, nhom telegram',
      ),
      verbs: parsePhrases('nhan, ket ban, lien he, tham gia, vao'),
      nouns: parsePhrases('nhom zalo, zalo'),
    },
    open_link: {
      phrases: parsePhrases(
        'bam vao link, nhan vao link, nhap vao link, truy cap link, bam vao day, nhan vao day, click vao, bam vao duong dan, truy cap duong dan, nhan vao lien ket, truy cap ngay, bam vao lien ket',
      ),
      verbs: parsePhrases(
        'truy cap, bam, nhan, tai, vao, dang ky, dang nhap, xac minh, xac thuc, cap nhat, kiem tra, xem, ngay',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        'so moi cua con, so moi cua em, so moi cua minh, so moi cua anh, so dien thoai moi cua con, day la so moi, con doi so, em doi so, minh doi so, hong dien thoai, dien thoai con hong, mat dien thoai, dien thoai bi hong, dien thoai con bi',
      ),
    },
    blocked: {
      phrases: parsePhrases(
        'bi khoa, da bi khoa, se bi khoa, tam khoa, bi tam khoa, bi vo hieu hoa, se bi vo hieu hoa, bi dong bang, dong bang, bi dinh chi, bi chan, khoa vinh vien, se bi cat, khoa 1 chieu, khoa 2 chieu, khoa hai chieu, bi phong toa',
      ),
    },
    threat: {
      phrases: parsePhrases(
        'lenh bat, lenh bat giam, truy to, khoi to, bi bat, kien ra toa, xu ly hinh su, cuong che, truy cuu, hoan tra nguoi gui, bi xu phat, bat tam giam',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'khan cap, trong 24h, trong 24 gio, trong vong 24, trong hom nay, ngay hom nay, canh bao cuoi cung, co hoi cuoi cung, lan cuoi, ngay lap tuc, het han hom nay, trong 2 gio, thong bao lan cuoi',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'chua thanh toan, thanh toan that bai, qua han, no cuoc, no qua han, tu choi thanh toan, chua nop',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'giao khong thanh cong, giao hang khong thanh cong, khong giao duoc, sai dia chi, bi giu tai kho, bi hai quan giu, khong the giao, bi giu lai, bi tam giu',
      ),
      verbs: parsePhrases('bi giu, giu lai, bi ket'),
      nouns: parsePhrases('don hang, buu kien, kien hang, buu pham'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'giao dich dang ngo, giao dich la, dang nhap bat thuong, dang nhap tren thiet bi la, thiet bi la, neu khong phai ban, neu khong phai quy khach, hoat dong bat thuong, giao dich bat thuong, thiet bi khac',
      ),
    },
    virus: { phrases: parsePhrases('nhiem virus, bi nhiem, bi hack, bi tan cong, ma doc') },
    prize: {
      phrases: parsePhrases(
        'trung thuong, da trung, duoc chon nhan, nhan qua, qua tang cua ban, nhan thuong, giai thuong, may man trung, nhan giai',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'hoa hong, thu nhap moi ngay, viec nhe luong cao, kiem tien online, loi nhuan cam ket, cam ket loi nhuan, lai suat cao, loi nhuan moi ngay, viec tai nha, viec lam them, kiem them, thu nhap thu dong, luong ngay, cam ket lai, lam viec tai nha',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'vay nhanh, vay online, vay tien, khoan vay cua ban, giai ngan, khong can the chap, vay tin chap, ho tro vay',
      ),
    },
    meeting: { phrases: parsePhrases('nham so, lam quen, ket ban voi, rat vui duoc lam quen') },
    extortion: {
      phrases: parsePhrases(
        'clip nhay cam, anh nong, gui cho ca danh ba, gui cho toan bo, tung len mang, toan bo danh ba, dang len mang, video nhay cam',
      ),
    },
    unreachable: { phrases: parsePhrases('dang hop, dang ban hop, khong nghe may duoc, khong tien nghe') },
    vague_greeting: {
      phrases: parsePhrases(
        'kinh gui quy khach, thua quy khach, quy khach hang than men, kinh gui khach hang',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'don hang cua ban, buu kien, kien hang, giao hang, shipper, ghtk, ghn, vnpost, viettel post, buu pham, phi ship',
    ),
    toll_or_fine_scam: parsePhrases('phat nguoi, vi pham giao thong, nop phat, csgt, bien ban vi pham'),
    otp_request: parsePhrases('gui ma, doc ma, ma xac nhan cho, gui minh ma, cho minh xin ma'),
    tax_scam: parsePhrases(
      'tong cuc thue, co quan thue, cuc thue, hoan thue, chi cuc thue, vneid, dich vu cong',
    ),
    bank_impersonation: parsePhrases(
      'vietcombank, techcombank, bidv, vietinbank, agribank, sacombank, mb bank, tai khoan ngan hang, ngan hang, the tin dung, smart banking, tai khoan cua quy khach, tai khoan se bi tru, vpbank, acb',
    ),
    account_takeover: parsePhrases('tai khoan cua ban, tai khoan facebook, tai khoan zalo, fanpage cua ban'),
    tech_support_scam: parsePhrases('may tinh cua ban, nhiem virus, ho tro ky thuat'),
    family_emergency: parsePhrases(
      'me oi, bo oi, ba noi oi, so moi cua con, dang cap cuu, bi tai nan, dong hoc phi',
    ),
    extortion: parsePhrases('clip nhay cam, video nhay cam, toan bo danh ba, ca danh ba'),
    crypto_scam: parsePhrases('dau tu, tien ao, chung khoan, co phieu, loi nhuan, san giao dich, tin hieu'),
    job_scam: parsePhrases(
      'tuyen dung, viec nhe, viec lam them, lam viec tai nha, cong tac vien, tuyen ctv, viec online, ctv, nhiem vu',
    ),
    prize_scam: parsePhrases(
      'trung thuong, trung giai, qua tang, tri an khach hang, vong quay, boc tham, giai thuong, phan qua',
    ),
    loan_scam: parsePhrases('vay tien, vay nhanh, khoan vay, giai ngan, vay online, no xau'),
    business_email_compromise: parsePhrases(
      'doi so tai khoan, thay doi tai khoan, hoa don dinh kem, so tai khoan moi',
    ),
    marketplace_scam: parsePhrases('chuyen coc, dat coc, coc truoc, giu cho'),
    romance_scam: parsePhrases('lam quen, em yeu, nham so, anh yeu'),
    insurance_or_debt_scam: parsePhrases('ban dang no, no qua han, doi no'),
  },
};
